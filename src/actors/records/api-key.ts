// An organization's API key: its scopes and the hash of its secret, never the secret.

import { defineTable } from '../../runtime/table.js'

export const scopes = [
  'read:charge_points',
  'write:charge_points',
  'read:sessions',
  'write:sessions',
  'read:billing',
  'write:billing',
  'read:webhooks',
  'write:webhooks',
  'read:analytics',
  'read:organisations',
  'write:organisations',
  'write:api_keys',
  'read:ocpi',
  'write:ocpi',
  'write:commands',
] as const
export type Scope = (typeof scopes)[number]

export interface ApiKey {
  readonly key_id: string
  readonly organization_id: string
  readonly name: string
  readonly scopes: readonly Scope[]
  /** SHA-256 of the whole key, hex. */
  readonly secret_sha256: string
  readonly created_at: string
}

export const apiKeysTable = defineTable<ApiKey>({
  name: 'api_keys',
  key: (row) => [row.key_id],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    // A bootstrap key set by the operator has no key id in it: it is found by its hash.
    bySecret: (row) => [{ group: [row.secret_sha256] }],
  },
  uncounted: ['bySecret'],
})

/** When a key was last used, to the minute; apart from the key, so that using a key never competes with changing it. */
export interface ApiKeyUse {
  readonly key_id: string
  readonly last_used_at: string
}

export const apiKeyUsesTable = defineTable<ApiKeyUse>({
  name: 'api_key_uses',
  key: (row) => [row.key_id],
})
