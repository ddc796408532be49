// A new API key: its row for the store, and its text, which is shown once and stored nowhere.

import { createHash } from 'node:crypto'
import { type ApiKey, givenScopes, type Scope } from '../../records/api-key.js'
import { formatTimestamp } from './timestamp.js'

const secretBytes = 32

export interface NewKey {
  readonly row: ApiKey
  /** `ak_<key id without prefix>_<43 base64url characters>`, or the text that was given. */
  readonly key: string
}

export interface KeyOptions {
  readonly organizationId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly userId?: string | undefined
  readonly expiresAt?: string | undefined
  readonly now: number
  readonly newId: (prefix: string) => string
  readonly randomBytes: (length: number) => Buffer
  /** A text chosen by the operator instead of a made one. */
  readonly key?: string | undefined
}

export function makeKey(options: KeyOptions): NewKey {
  const { organizationId, name, scopes, userId, expiresAt, now, newId, randomBytes } = options
  const keyId = newId('key')
  const key = options.key ?? makeKeyText(keyId, randomBytes)
  return {
    key,
    row: {
      key_id: keyId,
      organization_id: organizationId,
      version: 1,
      name,
      scopes: givenScopes(scopes),
      ...(userId !== undefined && { user_id: userId }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
      secret_sha256: sha256Hex(key),
      created_at: formatTimestamp(now),
    },
  }
}

export function makeKeyText(keyId: string, randomBytes: KeyOptions['randomBytes']): string {
  return `ak_${keyId.slice('key_'.length)}_${randomBytes(secretBytes).toString('base64url')}`
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
