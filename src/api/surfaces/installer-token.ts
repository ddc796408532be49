// Access tokens of installers: JSON Web Tokens (RFC 7519) under HS256, for an hour. They are checked here and not by jose, whose check waits: a
// request's credential is looked at before its body is read, in the same turn. Every check reads the store, so that a token which has been ended,
// or whose account is gone, is good no longer at any front.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from 'jose'
import {
  endedTokensTable,
  type Installer,
  installersTable,
  type TokenSecret,
  tokenLifetimeMs,
  tokenSecretsTable,
} from '../../records/installer.js'
import { installationTable } from '../../records/organization.js'
import { fail } from '../../runtime/errors.js'
import type { ReadView } from '../../runtime/store/store.js'
import { tokenExpired, unauthorized } from '../pipeline/errors.js'
import type { RequestHead } from '../pipeline/message.js'
import type { Services } from '../pipeline/services.js'
import type { Credential } from '../pipeline/surface.js'
import { formatTimestamp } from '../pipeline/timestamp.js'

/** Who calls with a token. */
export interface InstallerPrincipal {
  readonly installer: Installer
  /** `jti` of the token. */
  readonly tokenId: string
  /** The organization that operates the installation, whose audit log has what installers do. */
  readonly operatorId: string | undefined
}

const algorithm = 'HS256'
const audience = 'installer'

/** As many as the digest has (RFC 7518, 3.2). */
const secretBytes = 32

/** Whatever was signed with another is good no longer. */
export function newTokenSecret({ randomBytes, clock }: Pick<Services, 'randomBytes' | 'clock'>): TokenSecret {
  const secret = randomBytes(secretBytes).toString('base64url')
  return { id: 'installers', secret, created_at: formatTimestamp(clock.now()) }
}

export function tokenSecretFrom({ secret }: TokenSecret): Buffer {
  return Buffer.from(secret, 'base64url')
}

/** Undefined until the first login has made it. */
export function tokenSecretOf(view: ReadView): Buffer | undefined {
  const row = view.get(tokenSecretsTable, ['installers'])
  return row === undefined ? undefined : tokenSecretFrom(row)
}

/** `now` in ms. */
export function makeToken(
  { installer_id, token_generation }: Installer,
  { tokenId, secret, now }: { readonly tokenId: string; readonly secret: Buffer; readonly now: number },
): Promise<string> {
  const issuedAt = Math.floor(now / 1000)
  return new SignJWT({ gen: token_generation })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setSubject(installer_id)
    .setAudience(audience)
    .setJti(tokenId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + tokenLifetimeMs / 1000)
    .sign(secret)
}

export const installerToken: Credential<InstallerPrincipal> = {
  name: 'access token',
  find: presented,
  verify,
  errors: [tokenExpired],
  challenge: 'Bearer',
  securitySchemes: {
    installerToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The access token of an installer',
    },
  },
  security: [{ installerToken: [] }],
}

function presented({ headers }: RequestHead): string {
  const [, token] = /^Bearer +([\x21-\x7e]+) *$/i.exec(headers.authorization ?? '') ?? []
  return (
    token ??
    fail(
      unauthorized,
      'an access token is needed: log in with POST /api/v1/installer/login, and send `Authorization: Bearer <access token>`',
    )
  )
}

function verify(token: string, view: ReadView, now: number): InstallerPrincipal {
  const { sub = '', jti = '', exp = 0, gen } = claimsOf(token, view) ?? notValid()
  if (exp * 1000 <= now) throw tokenExpired('the access token has expired: log in again')
  if (view.get(endedTokensTable, [jti]) !== undefined) notValid()
  const installer = view.get(installersTable, [sub]) ?? notValid()
  if (installer.token_generation !== gen) notValid()
  const operatorId = view.get(installationTable, ['installation'])?.default_organization_id
  return { installer, tokenId: jti, operatorId }
}

function notValid(): never {
  throw unauthorized('the access token is not valid: log in again')
}

/** Undefined for a text that is not a token that was made here. */
function claimsOf(token: string, view: ReadView): JWTPayload | undefined {
  const secret = tokenSecretOf(view)
  const [header, payload, signature, ...more] = token.split('.')
  if (secret === undefined || header === undefined || payload === undefined || signature === undefined) return undefined
  const expected = createHmac('sha256', secret).update(`${header}.${payload}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  // From here on it is a text that this service has signed, with its secret.
  const { alg } = decodeProtectedHeader(token)
  const claims = decodeJwt(token)
  return alg === algorithm && claims.aud === audience ? claims : undefined
}
