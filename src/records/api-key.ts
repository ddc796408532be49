// An organization's API key: its scopes and the hash of its secret, never the secret.

import { defineTable, type IndexEntry } from '../runtime/store/table.js'

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
  'read:messages',
] as const
export type Scope = (typeof scopes)[number]

/** As it is stored: who was given every scope is an owner, and has those too that a later version adds. */
export function givenScopes(given: readonly Scope[]): ApiKey['scopes'] {
  return scopes.every((scope) => given.includes(scope)) ? 'all' : given
}

export function scopesOf({ scopes: given }: Pick<ApiKey, 'scopes'>): readonly Scope[] {
  return given === 'all' ? scopes : given
}

export interface ApiKey {
  readonly key_id: string
  readonly organization_id: string
  /** Absent on keys made before keys could be changed. */
  readonly version?: number
  readonly name: string
  /**
   * What it was given; `all` is every scope that there is, those of later versions too. A key of a member may do less: what the
   * member's role allows now.
   */
  readonly scopes: readonly Scope[] | 'all'
  /** The member that it is bound to. */
  readonly user_id?: string
  /** SHA-256 of the whole key, hex. */
  readonly secret_sha256: string
  /** The key's text before its rotation, while it is still good. */
  readonly previous_secret?: { readonly sha256: string; readonly expires_at: string }
  readonly expires_at?: string
  readonly created_at: string
}

/** How long an expired key is still listed, so that a caller who is refused can find out why. */
const expiredKeptMs = 90 * 24 * 3_600_000

export const apiKeysTable = defineTable<ApiKey>({
  name: 'api_keys',
  key: (row) => [row.key_id],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byUser: (row) => (row.user_id === undefined ? [] : [{ group: [row.organization_id, row.user_id] }]),
    // A bootstrap key set by the operator has no key id in it: it is found by its hash.
    bySecret: ({ secret_sha256, previous_secret }) =>
      previous_secret === undefined
        ? [{ group: [secret_sha256] }]
        : [{ group: [secret_sha256] }, { group: [previous_secret.sha256] }],
    byExpiry: expiryOf,
  },
  uncounted: ['bySecret', 'byExpiry'],
  retention: { milliseconds: expiredKeptMs, timeOf: expiryTime, index: 'byExpiry' },
})

/** When a key was last used, to the minute; apart from the key, so that using a key never competes with changing it. */
export interface ApiKeyUse {
  readonly key_id: string
  readonly last_used_at: string
  /** The key's own end: the use goes with its key. */
  readonly expires_at?: string
}

export const apiKeyUsesTable = defineTable<ApiKeyUse>({
  name: 'api_key_uses',
  key: (row) => [row.key_id],
  indexes: { byExpiry: expiryOf },
  uncounted: ['byExpiry'],
  retention: { milliseconds: expiredKeptMs, timeOf: expiryTime, index: 'byExpiry' },
})

interface Expiring {
  readonly expires_at?: string
}

function expiryOf(row: Expiring): readonly IndexEntry[] {
  return row.expires_at === undefined ? [] : [{ group: [], order: [expiryTime(row)] }]
}

function expiryTime({ expires_at }: Expiring): number {
  return expires_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires_at)
}
