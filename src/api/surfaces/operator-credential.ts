// What operators call with: an API key, or the cookie of somebody who has signed in to the console. A key in a header goes before a cookie.

import { createHash, timingSafeEqual } from 'node:crypto'
import { apiKeysTable } from '../../records/api-key.js'
import {
  type ConsoleSession,
  consoleSessionsTable,
  isRecentlyShown,
  isWithinLife,
} from '../../records/console-session.js'
import { membersTable, roleScopes } from '../../records/member.js'
import { organizationsTable } from '../../records/organization.js'
import { passkeysTable } from '../../records/passkey.js'
import { fail } from '../../runtime/errors.js'
import type { ReadView } from '../../runtime/store/store.js'
import { unauthorized } from '../pipeline/errors.js'
import type { RequestHead } from '../pipeline/message.js'
import {
  isOfOwnPage,
  mayBeOfOwnPage,
  type PresentedCookie,
  sessionCookieName,
  sessionCookieOf,
  sessionHeader,
} from '../pipeline/session-cookie.js'
import type { Credential } from '../pipeline/surface.js'
import { apiKey, isSecretOf, principalOf } from './api-key.js'
import type { Principal } from './principal.js'

/** The id of the session without its prefix (a ULID), and 43 base64url characters. */
const cookieForm = /^([0-9A-HJKMNP-TV-Z]{26})_[A-Za-z0-9_-]{43}$/

/** Before the text of a cookie. No header has a line break, so that no key can be taken for a cookie. */
const cookieMark = 'cookie\n'
const plainMark = 'plain cookie\n'

export const operatorCredential: Credential<Principal> = {
  name: 'API key',
  find: presented,
  verify(text, view, now) {
    if (text.startsWith(cookieMark))
      return principalOfCookie({ text: text.slice(cookieMark.length), isPlain: false }, view, now)
    if (text.startsWith(plainMark))
      return principalOfCookie({ text: text.slice(plainMark.length), isPlain: true }, view, now)
    return apiKey.verify(text, view, now)
  },
  challenge: apiKey.challenge,
  securitySchemes: {
    ...apiKey.securitySchemes,
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName,
      description: 'The session of somebody who has signed in to the console',
    },
  },
  security: [...apiKey.security, { session: [] }],
}

function presented(request: RequestHead): string {
  const { authorization = '', 'x-api-key': key = '', cookie } = request.headers
  const found = authorization === '' && key === '' ? sessionCookieOf(cookie) : undefined
  if (found === undefined) return keyIn(request)
  if (!(found.isPlain ? mayBeOfOwnPage(request) : isOfOwnPage(request)))
    throw unauthorized('the session counts only for requests of the console itself; other programs send an API key')
  const expected = request.headers[sessionHeader]
  if (expected !== undefined && expected !== `cse_${found.text.split('_')[0]}`)
    throw unauthorized('another session has begun in this browser: reload the page')
  return `${found.isPlain ? plainMark : cookieMark}${found.text}`
}

function keyIn(request: RequestHead): string {
  const text = apiKey.find(request)
  return text.includes('\n') ? isOver() : text
}

/** The session of a cookie, as long as it is not over. Throws `unauthorized`. */
export function sessionOfCookie({ text, isPlain }: PresentedCookie, view: ReadView, now: number): ConsoleSession {
  const [, ulid] = cookieForm.exec(text) ?? []
  const row = ulid === undefined ? undefined : view.get(consoleSessionsTable, [`cse_${ulid}`])
  if (row === undefined || (row.is_plain === true) !== isPlain) return isOver()
  const sha256 = createHash('sha256').update(text).digest()
  if (!timingSafeEqual(Buffer.from(row.secret_sha256, 'hex'), sha256)) isOver()
  return isWithinLife(row, now) ? row : isOver()
}

/** Whom a session acts for, by what is stored now. Throws `unauthorized`. */
export function principalOfSession(session: ConsoleSession, view: ReadView, now: number): Principal {
  const principal = session.key === undefined ? signedIn(session, view) : actingAsKey(session, session.key, view, now)
  if (principal.member?.version !== session.member?.version) isOver()
  // It may be of another organization of the same person.
  if (session.passkey_id !== undefined && view.get(passkeysTable, [session.passkey_id]) === undefined) isOver()
  return { ...principal, session, isRecent: isRecentlyShown(session, now) }
}

function principalOfCookie(cookie: PresentedCookie, view: ReadView, now: number): Principal {
  return principalOfSession(sessionOfCookie(cookie, view, now), view, now)
}

function actingAsKey(
  { organization_id }: ConsoleSession,
  { key_id, secret_sha256 }: NonNullable<ConsoleSession['key']>,
  view: ReadView,
  now: number,
): Principal {
  const key = view.get(apiKeysTable, [key_id]) ?? isOver()
  if (key.organization_id !== organization_id || !isSecretOf(key, Buffer.from(secret_sha256, 'hex'), now)) isOver()
  return principalOf(key, view, now)
}

function signedIn({ organization_id, member }: ConsoleSession, view: ReadView): Principal {
  const now = member === undefined ? undefined : view.get(membersTable, [organization_id, member.user_id])
  const organization = view.get(organizationsTable, [organization_id])
  if (now === undefined || organization === undefined) return isOver()
  return { key: undefined, organization, member: now, scopes: roleScopes[now.role] }
}

function isOver(): never {
  return fail(unauthorized, 'the session is over: sign in again')
}
