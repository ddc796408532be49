// A new API key: its row for the store, and its text, which is shown once and stored nowhere.

import { createHash } from 'node:crypto'
import type { ApiKey, Scope } from '../actors/records/api-key.js'
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
  readonly now: number
  readonly newId: (prefix: string) => string
  readonly randomBytes: (length: number) => Buffer
  /** A text chosen by the operator instead of a made one. */
  readonly key?: string | undefined
}

export function makeKey({ organizationId, name, scopes, now, newId, randomBytes, key: given }: KeyOptions): NewKey {
  const keyId = newId('key')
  const key = given ?? `ak_${keyId.slice('key_'.length)}_${randomBytes(secretBytes).toString('base64url')}`
  return {
    key,
    row: {
      key_id: keyId,
      organization_id: organizationId,
      name,
      scopes,
      secret_sha256: sha256Hex(key),
      created_at: formatTimestamp(now),
    },
  }
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
