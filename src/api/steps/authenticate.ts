// Who asks: an API key from the Authorization or X-API-Key header, never from the query string.
// Reads the store at every request, so that a revoked key is dead at once.

import { createHash, timingSafeEqual } from 'node:crypto'
import { type ApiKey, apiKeysTable } from '../../actors/records/api-key.js'
import { organizationsTable } from '../../actors/records/organization.js'
import { AmpshardError, fail } from '../../runtime/errors.js'
import type { ReadView } from '../../runtime/store.js'
import type { ApiRequest } from '../message.js'
import type { Principal } from '../principal.js'

/** `ak_`, the key id without its prefix (a ULID), and 43 base64url characters. */
const ownForm = /^ak_([0-9A-HJKMNP-TV-Z]{26})_[A-Za-z0-9_-]{43}$/

export interface Authenticated {
  readonly principal: Principal
  /** As presented; never stored, never logged. */
  readonly presentedKey: string
}

/** Throws `unauthorized`. */
export function authenticate(request: ApiRequest, view: ReadView): Authenticated {
  const presentedKey = presented(request)
  const sha256 = createHash('sha256').update(presentedKey).digest()
  const key = findKey(presentedKey, sha256, view)
  const organization = key === undefined ? undefined : view.get(organizationsTable, [key.organization_id])
  if (key === undefined || organization === undefined)
    throw new AmpshardError('unauthorized', 'the API key is not valid')
  return { principal: { key, organization }, presentedKey }
}

function presented({ headers }: ApiRequest): string {
  const authorization = headers.authorization
  if (authorization !== undefined) {
    const [, token] = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization) ?? []
    return token ?? fail('unauthorized', 'the Authorization header must be "Bearer <API key>"')
  }
  return headers['x-api-key']?.trim() || fail('unauthorized', 'an API key is needed, in the Authorization header')
}

function findKey(presentedKey: string, sha256: Buffer, view: ReadView): ApiKey | undefined {
  const [, ulid] = ownForm.exec(presentedKey) ?? []
  const found =
    (ulid === undefined ? undefined : view.get(apiKeysTable, [`key_${ulid}`])) ??
    // A key that the operator set has no id in it.
    view.listBy(apiKeysTable, 'bySecret', [sha256.toString('hex')], { limit: 1 })[0]
  if (found === undefined) return undefined
  return timingSafeEqual(Buffer.from(found.secret_sha256, 'hex'), sha256) ? found : undefined
}
