// What routes that create, show and end API keys share: how a key is shown, what it may do, what goes with it.

import { type Static, Type } from 'typebox'
import { type ApiKey, apiKeysTable, apiKeyUsesTable, type Scope, scopes, scopesOf } from '../../../records/api-key.js'
import { consoleSessionsTable } from '../../../records/console-session.js'
import { type Member, membersTable } from '../../../records/member.js'
import { conflict } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Draft, RowReader } from '../../pipeline/draft.js'
import { named, nameText, nullable, timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { isExpired } from '../../surfaces/api-key.js'
import { cutToRole, type Principal } from '../../surfaces/principal.js'
import { limits } from './limits.js'

const dayMs = 86_400_000

export const keyName = () => nameText()

export const keySchema = named('ApiKey', {
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.Enum([...scopes]), { description: 'What the key was given when it was created.' }),
  effective_scopes: Type.Array(Type.Enum([...scopes]), {
    description: "What the key may do now: its scopes, cut to its member's role.",
  }),
  user_id: nullable(Type.String()),
  status: Type.Enum(['active', 'expired']),
  created_at: timestamp(),
  expires_at: nullable(timestamp()),
  last_used_at: nullable(timestamp('Exact to the minute.')),
  previous_key_expires_at: nullable(
    timestamp("The time until which the key's secret from before its rotation remains valid."),
  ),
})

export const newKeySchema = named('NewApiKey', { ...keySchema.properties, key: Type.String() })

/** Throws `conflict`: a key whose time is over stays dead. */
export function requireLiving(key: ApiKey, now: number): void {
  if (isExpired(key, now)) throw conflict(`the API key expired at ${key.expires_at}: create another one`)
}

/** What a key may do now: nothing once it has expired. */
export function effectiveScopes(key: ApiKey, rows: RowReader, now: number): readonly Scope[] {
  if (isExpired(key, now)) return []
  if (key.user_id === undefined) return scopesOf(key)
  const member = rows.get(membersTable, [key.organization_id, key.user_id])
  return member === undefined ? [] : cutToRole(scopesOf(key), member.role)
}

export function keyView(key: ApiKey, view: ReadView, now: number): Static<typeof keySchema> {
  const { previous_secret: previous } = key
  return {
    id: key.key_id,
    name: key.name,
    scopes: [...scopesOf(key)],
    effective_scopes: [...effectiveScopes(key, view, now)],
    user_id: key.user_id ?? null,
    status: isExpired(key, now) ? 'expired' : 'active',
    created_at: key.created_at,
    expires_at: key.expires_at ?? null,
    last_used_at: view.get(apiKeyUsesTable, [key.key_id])?.last_used_at ?? null,
    previous_key_expires_at: previous === undefined || isExpired(previous, now) ? null : previous.expires_at,
  }
}

/** The end of a key, as it is stored. Throws `validation_error` for one that is over or too far away. */
export function keyEnd(text: string, now: number): string {
  const time = parseTimestamp(text) as number
  if (time <= now) throw invalid([{ path: '/expires_at', message: 'must be in the future' }])
  if (time > now + limits.apiKeyDays * dayMs)
    throw invalid([{ path: '/expires_at', message: `must be within ${limits.apiKeyDays} days` }])
  return formatTimestamp(time)
}

/** Requires that a caller may still do what they could at the commit: their key, member and session are as they were read. */
export function requirePowers(draft: Draft, { key, member, session }: Principal): void {
  if (session !== undefined) draft.requireUnchanged(consoleSessionsTable, session)
  if (key !== undefined) draft.requireUnchanged(apiKeysTable, key)
  if (member !== undefined) draft.requireUnchanged(membersTable, member)
}

/** With the note of its last use. */
export function removeKey({ key_id }: ApiKey, draft: Draft): void {
  draft.remove(apiKeysTable, [key_id])
  draft.clear(apiKeyUsesTable, [key_id])
}

/** All keys of a member, who has no more than the organization may have; at the commit no other has come. */
export function keysOfMember(draft: Draft, { organization_id, user_id }: Member): readonly ApiKey[] {
  return draft.list(apiKeysTable, { index: 'byUser', group: [organization_id, user_id] })
}
