// What routes that make, show and end API keys share: the own key of an id, how a key is shown, what goes with it.

import { type Static, Type } from 'typebox'
import { type ApiKey, apiKeysTable, apiKeyUsesTable, type Scope, scopes, scopesOf } from '../../../records/api-key.js'
import { type Member, membersTable } from '../../../records/member.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import type { Change, ReadView } from '../../../runtime/store/store.js'
import { removeRow, unchanged } from '../../pipeline/changes.js'
import type { Precondition } from '../../pipeline/route.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { isExpired } from '../../surfaces/api-key.js'
import { cutToRole, type Principal } from '../../surfaces/principal.js'
import { limits } from './limits.js'

const dayMs = 86_400_000

export const keyParams = Type.Object({ key_id: Type.String({ maxLength: 64 }) })

export const keyName = () => Type.String({ minLength: 1, maxLength: 200 })

export const keySchema = named('ApiKey', {
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.Enum([...scopes])),
  effective_scopes: Type.Array(Type.Enum([...scopes]), {
    description: "what the key may do now: its scopes, cut to its member's role",
  }),
  user_id: nullable(Type.String()),
  status: Type.Enum(['active', 'expired']),
  created_at: timestamp(),
  expires_at: nullable(timestamp()),
  last_used_at: nullable(timestamp('to the minute')),
  previous_key_expires_at: nullable(timestamp("how long the key's text before its rotation is still good")),
})

export const newKeySchema = named('NewApiKey', { ...keySchema.properties, key: Type.String() })

export function ownKey(view: ReadView, principal: Principal, keyId: string): ApiKey {
  const row = view.get(apiKeysTable, [keyId])
  if (row?.organization_id === principal.organization.organization_id) return row
  throw notFound('there is no such API key')
}

/** Throws `conflict`: a key whose time is over stays dead. */
export function requireLiving(key: ApiKey, now: number): void {
  if (isExpired(key, now)) throw conflict(`the API key expired at ${key.expires_at}; make another one`)
}

/** What a key may do now: nothing once it has expired. */
export function effectiveScopes(key: ApiKey, view: ReadView, now: number): readonly Scope[] {
  if (isExpired(key, now)) return []
  if (key.user_id === undefined) return scopesOf(key)
  const member = view.get(membersTable, [key.organization_id, key.user_id])
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

/** That the row is the one that was read; a request that lost the race looks again. */
export function keyUnchanged(key: ApiKey): Precondition {
  return {
    condition: { table: apiKeysTable.name, key: [key.key_id], is: 'version', version: key.version ?? 0 },
  }
}

/** That a key may still do what it could: it is as it was read, and so is the member that it is bound to. */
export function powersUnchanged(key: ApiKey, member: Member | undefined): readonly Precondition[] {
  if (key.user_id === undefined) return [keyUnchanged(key)]
  return [keyUnchanged(key), { condition: unchanged(membersTable, [key.organization_id, key.user_id], member) }]
}

/** The member that a key is bound to. */
export function memberOfKey({ organization_id, user_id }: ApiKey, view: ReadView): Member | undefined {
  return user_id === undefined ? undefined : view.get(membersTable, [organization_id, user_id])
}

/** With the note of its last use. */
export function removeKey({ key_id }: ApiKey): readonly Change[] {
  return [removeRow(apiKeysTable, [key_id]), removeRow(apiKeyUsesTable, [key_id])]
}

/** All keys of a member, who has no more than the organization may have. */
export function keysOfMember(view: ReadView, organizationId: string, userId: string): readonly ApiKey[] {
  return view.listBy(apiKeysTable, 'byUser', [organizationId, userId])
}
