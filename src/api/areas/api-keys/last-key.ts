// That an organization does not lock itself out: whatever ends a key, or what its member may do, leaves one that can make keys.

import { type ApiKey, apiKeysTable, scopesOf } from '../../../records/api-key.js'
import type { Member, Role } from '../../../records/member.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { walkList } from '../../pipeline/paging.js'
import type { Precondition } from '../../pipeline/route.js'
import { cutToRole, grants } from '../../surfaces/principal.js'
import { effectiveScopes, keysOfMember, memberOfKey, powersUnchanged } from './api-keys.js'
import { lastKey } from './errors.js'

/**
 * What must hold so that somebody can still make keys once `key` ends at `endsAt`: that another key with write:api_keys is
 * there, and lives longer. Throws `last_key`.
 */
export async function afterTheEndOf(key: ApiKey, endsAt: number, view: ReadView): Promise<readonly Precondition[]> {
  if (!scopesOf(key).includes('write:api_keys')) return []
  return otherMaker(key.organization_id, (other) => other.key_id !== key.key_id, endsAt, view)
}

/** The same for a member's keys, when their role becomes another, or when they go: then `role` is undefined. Throws `last_key`. */
export async function afterTheRoleOf(
  { organization_id, user_id }: Member,
  role: Role | undefined,
  now: number,
  view: ReadView,
): Promise<readonly Precondition[]> {
  const makers = keysOfMember(view, organization_id, user_id).filter((key) => makesKeys(key, now, view))
  const remains = makers.some((key) => role !== undefined && cutToRole(scopesOf(key), role).includes('write:api_keys'))
  if (makers.length === 0 || remains) return []
  return otherMaker(organization_id, (other) => other.user_id !== user_id, now, view)
}

async function otherMaker(
  organizationId: string,
  isOther: (key: ApiKey) => boolean,
  at: number,
  view: ReadView,
): Promise<readonly Precondition[]> {
  const list = { index: 'byOrganization', group: [organizationId] }
  for await (const rows of walkList({ view, table: apiKeysTable, list })) {
    const heir = rows.find((key) => isOther(key) && makesKeys(key, at, view))
    if (heir !== undefined) return powersUnchanged(heir, memberOfKey(heir, view))
  }
  throw lastKey(
    'no other API key could make keys after this: make another with write:api_keys first, or rotate the one there is',
  )
}

function makesKeys(key: ApiKey, at: number, view: ReadView): boolean {
  return grants(effectiveScopes(key, view, at), 'write:api_keys')
}
