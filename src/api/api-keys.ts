// What the routes of API keys share: the own key of an id, how a key is shown, and that an organization does not lock itself out.

import { type Static, Type } from 'typebox'
import { type ApiKey, apiKeysTable, apiKeyUsesTable, scopes } from '../actors/records/api-key.js'
import { membersTable } from '../actors/records/member.js'
import { AmpshardError } from '../runtime/errors.js'
import { limits } from '../runtime/limits.js'
import type { ReadView } from '../runtime/store.js'
import { walkList } from './paging.js'
import { cutToRole, grants, type Principal } from './principal.js'
import type { Precondition } from './route.js'
import { nullable, timestamp } from './schemas.js'
import { isExpired } from './steps/authenticate.js'
import { invalid } from './steps/validate.js'
import { formatTimestamp, parseTimestamp } from './timestamp.js'

const dayMs = 86_400_000

export const keyParams = Type.Object({ key_id: Type.String({ maxLength: 64 }) })

export const keyName = () => Type.String({ minLength: 1, maxLength: 200 })

export const keySchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.Enum([...scopes])),
  effective_scopes: Type.Array(Type.Enum([...scopes]), {
    description: "what the key may do now: its scopes, cut to its member's role",
  }),
  user_id: nullable(Type.String()),
  status: Type.Enum(['active', 'expired', 'member_removed']),
  created_at: timestamp(),
  expires_at: nullable(timestamp()),
  last_used_at: nullable(timestamp('to the minute')),
  previous_key_expires_at: nullable(timestamp("how long the key's text before its rotation is still good")),
})

export const newKeySchema = Type.Object({ ...keySchema.properties, key: Type.String() })

export function ownKey(view: ReadView, principal: Principal, keyId: string): ApiKey {
  const row = view.get(apiKeysTable, [keyId])
  if (row?.organization_id === principal.organization.organization_id) return row
  throw new AmpshardError('not_found', 'there is no such API key')
}

/** Throws `conflict`: a key whose time is over stays dead. */
export function requireLiving(key: ApiKey, now: number): void {
  if (isExpired(key, now))
    throw new AmpshardError('conflict', `the API key expired at ${key.expires_at}; make another one`)
}

/** What a key may do now; undefined for that of a removed member. */
function effectiveScopes(key: ApiKey, view: ReadView): ApiKey['scopes'] | undefined {
  if (key.user_id === undefined) return key.scopes
  const member = view.get(membersTable, [key.organization_id, key.user_id])
  return member === undefined ? undefined : cutToRole(key.scopes, member.role)
}

export function keyView(key: ApiKey, view: ReadView, now: number): Static<typeof keySchema> {
  const effective = effectiveScopes(key, view)
  const dead = effective === undefined || isExpired(key, now)
  const { previous_secret: previous } = key
  return {
    id: key.key_id,
    name: key.name,
    scopes: [...key.scopes],
    effective_scopes: dead ? [] : [...effective],
    user_id: key.user_id ?? null,
    status: effective === undefined ? 'member_removed' : dead ? 'expired' : 'active',
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

/**
 * What must hold so that somebody can still make keys once `key` ends at `endsAt`: that another key with write:api_keys is
 * there, and lives longer. Throws `last_key`.
 */
export async function afterTheEndOf(key: ApiKey, endsAt: number, view: ReadView): Promise<readonly Precondition[]> {
  if (!key.scopes.includes('write:api_keys')) return []
  const list = { index: 'byOrganization', group: [key.organization_id] }
  for await (const rows of walkList({ view, table: apiKeysTable, list })) {
    const heir = rows.find((other) => other.key_id !== key.key_id && managesKeys(other, endsAt, view))
    if (heir !== undefined) return [keyUnchanged(heir)]
  }
  throw new AmpshardError(
    'last_key',
    'no other API key could make keys after this one: rotate it, or make another with write:api_keys first',
  )
}

function managesKeys(key: ApiKey, at: number, view: ReadView): boolean {
  return !isExpired(key, at) && grants(effectiveScopes(key, view) ?? [], 'write:api_keys')
}
