// A new session: its row, its cookie, and its entry in the audit log. Each sign-in makes a new text, and ends the session that the browser had.

import { auditTable, newAuditEntry } from '../../../records/audit-entry.js'
import { type ConsoleSession, consoleSessionsTable, sessionLongestMs } from '../../../records/console-session.js'
import { AmpshardError } from '../../../runtime/errors.js'
import { putRow } from '../../pipeline/changes.js'
import type { Draft } from '../../pipeline/draft.js'
import { sha256Hex } from '../../pipeline/make-key.js'
import type { Services } from '../../pipeline/services.js'
import { sessionCookieOf, setCookie } from '../../pipeline/session-cookie.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { sessionOfCookie } from '../../surfaces/operator-credential.js'
import type { Principal } from '../../surfaces/principal.js'
import { limits } from './limits.js'
import type { SignedIn } from './sign-in-by.js'

const secretBytes = 32

export interface Browser {
  readonly remoteAddress: string
  readonly requestId: string
  readonly agent: string | undefined
  /** It reaches the service over plain http, and may (`--console-insecure`). */
  readonly isPlain: boolean
  /** The header with its cookies. */
  readonly cookies: string | undefined
}

export interface NewSession {
  readonly row: ConsoleSession
  /** Set-Cookie. */
  readonly cookie: string
}

export function makeSession(
  draft: Draft,
  { key, member, organization: { organization_id } }: Principal,
  { method, passkeyId, authenticatedAt }: Pick<SignedIn, 'method' | 'passkeyId' | 'authenticatedAt'>,
  browser: Browser,
  services: Pick<Services, 'newId' | 'randomBytes' | 'clock'>,
): NewSession {
  const { remoteAddress, agent } = browser
  const now = services.clock.now()
  const console_session_id = services.newId('cse')
  const ulid = console_session_id.slice('cse_'.length)
  const text = `${ulid}_${services.randomBytes(secretBytes).toString('base64url')}`
  const row = {
    console_session_id,
    made_at: now,
    organization_id,
    secret_sha256: sha256Hex(text),
    method,
    passkey_id: passkeyId,
    authenticated_at: authenticatedAt,
    key: key && { key_id: key.key_id, secret_sha256: key.secret_sha256 },
    member: member && { user_id: member.user_id, version: member.version },
    seen_at: formatTimestamp(now),
    remote_address: remoteAddress,
    agent: agent?.slice(0, limits.agentCharacters),
    is_plain: browser.isPlain ? (true as const) : undefined,
  }
  endFormer(draft, browser.cookies, now)
  makeRoom(draft, [organization_id, key?.key_id ?? member?.user_id ?? ''])
  const stored = draft.put(consoleSessionsTable, row)
  draft.add({ changes: [entryOf(stored, key?.name, browser, now)] })
  return { row: stored, cookie: setCookie(text, sessionLongestMs / 1000, browser.isPlain) }
}

/** The one that the browser brings, whoever it was for. */
function endFormer(draft: Draft, cookies: string | undefined, now: number): void {
  const former = sessionCookieOf(cookies)
  if (former === undefined) return
  try {
    draft.clear(consoleSessionsTable, [sessionOfCookie(former, draft.view, now).console_session_id])
  } catch (error) {
    if (!(error instanceof AmpshardError)) throw error
  }
}

function makeRoom({ view, clear }: Draft, group: readonly [string, string]): void {
  const over = view.total(consoleSessionsTable, 'byCaller', group) - limits.sessionsOfCaller + 1
  if (over <= 0) return
  for (const { console_session_id } of view.listBy(consoleSessionsTable, 'byCaller', group, { limit: over }))
    clear(consoleSessionsTable, [console_session_id])
}

function entryOf(row: ConsoleSession, keyName: string | undefined, { remoteAddress, requestId }: Browser, now: number) {
  const { console_session_id, organization_id, key, member, method } = row
  const entry = {
    organization_id,
    ...(key !== undefined && { key_id: key.key_id }),
    ...(keyName !== undefined && { key_name: keyName }),
    ...(member !== undefined && { user_id: member.user_id }),
    action: 'signIn',
    method: 'POST',
    path: '/api/v1/console/session',
    resources: { console_session_id },
    request_id: requestId,
    remote_address: remoteAddress,
    status: 201,
    request_body: { method },
  }
  return putRow(auditTable, newAuditEntry(entry, now))
}
