// That an organization does not lock itself out: whatever ends a key, or what its member may do, leaves one that can create keys.

import { type ApiKey, apiKeysTable, scopesOf } from '../../../records/api-key.js'
import type { Role } from '../../../records/member.js'
import type { Draft, RowReader } from '../../pipeline/draft.js'
import { walkList } from '../../pipeline/paging.js'
import { cutToRole, grants } from '../../surfaces/principal.js'
import { effectiveScopes } from './api-keys.js'
import { lastKey } from './errors.js'

/**
 * Requires that somebody can still create keys once `key` ends at `endsAt`: that another key with write:api_keys is there at the
 * commit, and lives longer; where `key` would never have expired, that one never does either. Throws `last_key`.
 */
export async function requireMakerAfter(draft: Draft, key: ApiKey, endsAt: number): Promise<void> {
  if (!scopesOf(key).includes('write:api_keys')) return
  const isOther = (other: ApiKey) => other.key_id !== key.key_id && replaces(other, [key])
  await requireOtherMaker(draft, key.organization_id, isOther, endsAt)
}

/** The same for all keys of a member, when their role becomes another, or when they go: then `role` is undefined. Throws `last_key`. */
export async function requireMakerBeside(
  draft: Draft,
  keys: readonly ApiKey[],
  role: Role | undefined,
  now: number,
): Promise<void> {
  const makers = keys.filter((key) => makesKeys(key, now, draft))
  const remains = makers.some(
    (key) => role !== undefined && cutToRole(scopesOf(key), role).includes('write:api_keys') && replaces(key, makers),
  )
  const [maker] = makers
  if (maker === undefined || remains) return
  await requireOtherMaker(
    draft,
    maker.organization_id,
    (key) => key.user_id !== maker.user_id && replaces(key, makers),
    now,
  )
}

async function requireOtherMaker(
  draft: Draft,
  organizationId: string,
  isOther: (key: ApiKey) => boolean,
  at: number,
): Promise<void> {
  const { view } = draft
  const list = { index: 'byOrganization', group: [organizationId] }
  for await (const rows of walkList({ view, table: apiKeysTable, list }))
    for (const { key_id } of rows.filter((key) => isOther(key) && makesKeys(key, at, view))) {
      // Others may have changed it since it was listed; from here on it is held, and its member with it.
      const heir = draft.get(apiKeysTable, [key_id])
      if (heir !== undefined && makesKeys(heir, at, draft)) return
    }
  throw lastKey(
    'no other API key could create keys after this, for as long: create another with write:api_keys first, or rotate this one',
  )
}

/** One that expires does not take the place of one that never does: the organization would lock itself out at that moment. */
function replaces(heir: ApiKey, gone: readonly ApiKey[]): boolean {
  return heir.expires_at === undefined || gone.every(({ expires_at }) => expires_at !== undefined)
}

function makesKeys(key: ApiKey, at: number, rows: RowReader): boolean {
  return grants(effectiveScopes(key, rows, at), 'write:api_keys')
}
