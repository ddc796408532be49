// That an organization does not lock itself out: whatever ends a key that can create keys, or what its member may do, leaves another that
// can create keys too, and can do everything that the first could. Otherwise nobody could ever create a key with those scopes again.

import { type ApiKey, apiKeysTable, type Scope, scopesOf } from '../../../records/api-key.js'
import type { Role } from '../../../records/member.js'
import type { Draft, RowReader } from '../../pipeline/draft.js'
import { beginAtOnce } from '../../pipeline/long-reads.js'
import { walkList } from '../../pipeline/paging.js'
import { cutToRole, grants } from '../../surfaces/principal.js'
import { effectiveScopes } from './api-keys.js'
import { lastKey } from './errors.js'

/** What is lost with a key that can create keys. */
interface Loss {
  readonly scopes: readonly Scope[]
  /** The key would never have expired. */
  readonly forGood: boolean
}

/**
 * Requires that somebody can still create keys once `key` ends at `endsAt`: that another key with write:api_keys and all scopes of this
 * one is there at the commit, and lives longer; where `key` would never have expired, that one never does either. Throws `last_key`.
 */
export async function requireMakerAfter(draft: Draft, key: ApiKey, endsAt: number, now: number): Promise<void> {
  const lost = lossesOf([key], draft, now, undefined)
  await requireHeirs(draft, key.organization_id, lost, (other) => other.key_id !== key.key_id, endsAt)
}

/** The same for all keys of a member, when their role becomes another, or when they go: then `role` is undefined. Throws `last_key`. */
export async function requireMakerBeside(
  draft: Draft,
  keys: readonly ApiKey[],
  role: Role | undefined,
  now: number,
): Promise<void> {
  const [first] = keys
  if (first === undefined) return
  const lost = lossesOf(keys, draft, now, role)
  await requireHeirs(draft, first.organization_id, lost, ({ user_id }) => user_id !== first.user_id, now)
}

/** Of those of the keys that can create keys, each kind once; those that a new role leaves as they are stay. */
function lossesOf(keys: readonly ApiKey[], rows: RowReader, now: number, role: Role | undefined): readonly Loss[] {
  const lost = new Map<string, Loss>()
  for (const key of keys) {
    const scopes = effectiveScopes(key, rows, now)
    const forGood = key.expires_at === undefined
    const stays = role !== undefined && covers(cutToRole(scopesOf(key), role), scopes)
    if (createsKeys(scopes) && !stays) lost.set(`${forGood} ${scopes.join()}`, { scopes, forGood })
  }
  return [...lost.values()]
}

async function requireHeirs(
  draft: Draft,
  organizationId: string,
  losses: readonly Loss[],
  mayInherit: (key: ApiKey) => boolean,
  at: number,
): Promise<void> {
  if (losses.length === 0) return
  const { view } = draft
  let open = losses
  const list = { index: 'byOrganization', group: [organizationId] }
  for await (const rows of walkList({ view, begin: beginAtOnce(organizationId), table: apiKeysTable, list }))
    for (const { key_id } of rows.filter(
      (key) => mayInherit(key) && open.some((loss) => inherits(key, loss, at, view)),
    )) {
      // Others may have changed it since it was listed; from here on it is held, and its member with it.
      const heir = draft.get(apiKeysTable, [key_id])
      if (heir !== undefined) open = open.filter((loss) => !inherits(heir, loss, at, draft))
      if (open.length === 0) return
    }
  throw lastKey(
    'no other API key could create keys with the same scopes after this, for as long: create another one with all of these scopes first, or ' +
      'rotate this one',
  )
}

/** One that expires does not take the place of one that never does: the organization would lock itself out at that moment. */
function inherits(heir: ApiKey, { scopes, forGood }: Loss, at: number, rows: RowReader): boolean {
  if (forGood && heir.expires_at !== undefined) return false
  return covers(effectiveScopes(heir, rows, at), scopes)
}

function covers(granted: readonly Scope[], wanted: readonly Scope[]): boolean {
  return wanted.every((scope) => grants(granted, scope))
}

function createsKeys(granted: readonly Scope[]): boolean {
  return grants(granted, 'write:api_keys')
}
