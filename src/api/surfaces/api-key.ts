// API keys as credentials: from the Authorization or X-API-Key header, never from the query string.
// Reads the store at every request, so that a revoked key is dead at once, and a member's key is what the member is now.

import { createHash, timingSafeEqual } from 'node:crypto'
import { type ApiKey, apiKeysTable, scopesOf } from '../../records/api-key.js'
import { type Member, membersTable } from '../../records/member.js'
import { organizationsTable } from '../../records/organization.js'
import { fail } from '../../runtime/errors.js'
import type { ReadView } from '../../runtime/store/store.js'
import { unauthorized } from '../pipeline/errors.js'
import type { RequestHead } from '../pipeline/message.js'
import type { Credential } from '../pipeline/surface.js'
import { cutToRole, type Principal } from './principal.js'

/** `ak_`, the key id without its prefix (a ULID), and 43 base64url characters. */
const ownForm = /^ak_([0-9A-HJKMNP-TV-Z]{26})_[A-Za-z0-9_-]{43}$/

export type KeyPrincipal = Principal & { readonly key: ApiKey }

export const apiKey: Credential<KeyPrincipal> = {
  name: 'API key',
  find: presented,
  verify,
  challenge: 'Bearer',
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: 'An API key' },
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key' },
  },
  security: [{ bearer: [] }, { apiKey: [] }],
}

function presented({ headers }: RequestHead): string {
  const authorization = headers.authorization
  if (authorization !== undefined) {
    const [, token] = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization) ?? []
    return token ?? fail(unauthorized, 'the Authorization header must be "Bearer <API key>"')
  }
  return (
    headers['x-api-key']?.trim() ||
    fail(unauthorized, 'an API key is needed: send `Authorization: Bearer <API key>` or `X-API-Key: <API key>`')
  )
}

function verify(presentedKey: string, view: ReadView, now: number): KeyPrincipal {
  const sha256 = createHash('sha256').update(presentedKey).digest()
  const key = findKey(presentedKey, sha256, view, now) ?? notValid()
  return principalOf(key, view, now)
}

/** Throws `unauthorized` for a key that is over, or whose member has left. */
export function principalOf(key: ApiKey, view: ReadView, now: number): KeyPrincipal {
  if (isExpired(key, now)) throw unauthorized(`the API key expired at ${key.expires_at}`)
  const organization = view.get(organizationsTable, [key.organization_id]) ?? notValid()
  const member = memberOf(key, view)
  const scopes = member === undefined ? scopesOf(key) : cutToRole(scopesOf(key), member.role)
  return { key, organization, member, scopes }
}

export function isExpired({ expires_at }: Pick<ApiKey, 'expires_at'>, now: number): boolean {
  return expires_at !== undefined && Date.parse(expires_at) <= now
}

/** Throws for the key of somebody who is no member any more. */
function memberOf({ organization_id, user_id }: ApiKey, view: ReadView): Member | undefined {
  return user_id === undefined ? undefined : (view.get(membersTable, [organization_id, user_id]) ?? notValid())
}

function notValid(): never {
  throw unauthorized('the API key is not valid')
}

function findKey(presentedKey: string, sha256: Buffer, view: ReadView, now: number): ApiKey | undefined {
  const [, ulid] = ownForm.exec(presentedKey) ?? []
  const found =
    (ulid === undefined ? undefined : view.get(apiKeysTable, [`key_${ulid}`])) ??
    // A key that the operator set has no id in it.
    view.listBy(apiKeysTable, 'bySecret', [sha256.toString('hex')], { limit: 1 })[0]
  return found !== undefined && isSecretOf(found, sha256, now) ? found : undefined
}

/** Whether it is the hash of the key's text, or of its former text as long as that is good. */
export function isSecretOf(key: ApiKey, sha256: Buffer, now: number): boolean {
  if (timingSafeEqual(Buffer.from(key.secret_sha256, 'hex'), sha256)) return true
  const { previous_secret: previous } = key
  if (previous === undefined || isExpired(previous, now)) return false
  return timingSafeEqual(Buffer.from(previous.sha256, 'hex'), sha256)
}
