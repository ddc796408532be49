// Somebody is signed in to the console with a browser: for whom, since when, and from where. The text of the cookie is stored nowhere, only
// its hash.

import { timeOfId } from '../runtime/ids.js'
import { defineTable } from '../runtime/store/table.js'
import { isYoungerThan, type Made } from './lifetime.js'

/** How somebody has shown who they are. */
export const signInMethods = ['api_key', 'code', 'invitation', 'passkey', 'single_sign_on'] as const
export type SignInMethod = (typeof signInMethods)[number]

export interface ConsoleSession extends Made {
  /** `cse_` and a ULID. */
  readonly console_session_id: string
  readonly organization_id: string
  readonly version: number
  /** SHA-256 of the whole cookie, hex. */
  readonly secret_sha256: string
  readonly method: SignInMethod
  /** Wall ms. When the identity provider last asked them who they are; 0 where it has not said. Absent where that was the sign-in itself. */
  readonly authenticated_at?: number
  /** The key that it acts as, and the hash of the text that was exchanged: the session ends when that text is no longer good. */
  readonly key?: { readonly key_id: string; readonly secret_sha256: string }
  /** The member that it acts for, or to whom its key is bound, as they were then: another role ends the session for good. */
  readonly member?: { readonly user_id: string; readonly version: number }
  /** The passkey that was used: its removal ends the session. */
  readonly passkey_id?: string
  /** To the minute; written without raising the version, so that it competes with nothing. */
  readonly seen_at: string
  readonly remote_address: string
  /** Made over plain http, in a laboratory: its cookie is another one. */
  readonly is_plain?: true
  /** What the browser calls itself. */
  readonly agent?: string
}

/** What gives lasting access takes somebody who has shown who they are within these. */
export const recentSignInMs = 300_000
export const sessionIdleMs = 12 * 3_600_000
export const sessionLongestMs = 7 * 24 * 3_600_000

/** Unless requests keep it alive, and in any case by its longest life. */
export function endOfSession({ made_at, seen_at }: ConsoleSession): number {
  return Math.min(made_at + sessionLongestMs, Date.parse(seen_at) + sessionIdleMs)
}

export function isWithinLife(session: ConsoleSession, now: number): boolean {
  return isYoungerThan(sessionLongestMs, session, now) && endOfSession(session) > now
}

/** Whether somebody has shown who they are within the last minutes: to have been let in by what they showed long ago is not enough. */
export function isRecentlyShown({ made_at, authenticated_at = made_at }: ConsoleSession, now: number): boolean {
  return isYoungerThan(recentSignInMs, { made_at: Math.min(made_at, authenticated_at) }, now)
}

/** Whose sessions these are: those of a key, or those of a member who needs none. */
export function callerOf({ key, member }: Pick<ConsoleSession, 'key' | 'member'>): string {
  return key?.key_id ?? member?.user_id ?? ''
}

export const consoleSessionsTable = defineTable<ConsoleSession>({
  name: 'console_sessions',
  key: (row) => [row.console_session_id],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byCaller: (row) => [{ group: [row.organization_id, callerOf(row)] }],
  },
  retention: { timeOf: (row) => timeOfId(row.console_session_id), milliseconds: sessionLongestMs },
})
