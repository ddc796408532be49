// The members of an organization: listed, given another role, removed. They join by accepting an invitation.

import { Type } from 'typebox'
import { type Member, membersTable, roles } from '../../../records/member.js'
import { passkeysTable } from '../../../records/passkey.js'
import type { Draft } from '../../pipeline/draft.js'
import { readPage } from '../../pipeline/paging.js'
import { recentSignIn } from '../../surfaces/recent-sign-in.js'
import { keysOfMember, removeKey } from '../api-keys/api-keys.js'
import { lastKey } from '../api-keys/errors.js'
import { requireMakerBeside } from '../api-keys/last-key.js'
import { raiseTeam } from '../invitations/team.js'
import { area, members } from './area.js'
import { lastAdmin } from './errors.js'
import { memberFields, memberView } from './members.js'

/** An organization that has an admin keeps one. Throws `last_admin`. */
function requireOtherAdmin({ view }: Draft, { organization_id, role }: Member): void {
  if (role === 'admin' && view.total(membersTable, 'byRole', [organization_id, 'admin']) === 1)
    throw lastAdmin('this is the last admin: make another member an admin first')
}

/** Sessions end with the member, the passkeys or the keys that they act for. */
function removePasskeys(draft: Draft, { organization_id, user_id }: Member): void {
  for (const { passkey_id } of draft.view.listBy(passkeysTable, 'byUser', [organization_id, user_id]))
    draft.clear(passkeysTable, [passkey_id])
}

const listMembers = area.list('/members', {
  operationId: 'listMembers',
  summary: 'List the members of your organization',
  row: Type.Object(memberFields),
  perPage: 50,
  maximum: 200,
  read({ principal, query }, services) {
    const list = { index: 'byOrganization', group: [principal.organization.organization_id] }
    const { rows, total } = readPage({ view: services.view(), table: membersTable, list, query })
    return { rows: rows.map(memberView), total }
  },
})

const changeRole = area.put('/members/{user_id}/role', {
  operationId: 'changeMemberRole',
  requires: [recentSignIn],
  summary: 'Replace the role of a member',
  description:
    'Keys that are bound to the member can do what the new role allows, at once. The last admin cannot lose the role (409 `last_admin`), nor ' +
    'can a member whose keys are the only ones that can create keys (409 `last_key`).',
  of: members,
  body: Type.Object({ role: Type.Enum([...roles]) }),
  answer: Type.Object(memberFields),
  errors: [lastAdmin, lastKey],
  examples: { promote: { role: 'admin' } },
  async change({ row: before, body }, draft, services) {
    if (before.role === body.role) return memberView(before)
    raiseTeam(draft, before.organization_id)
    requireOtherAdmin(draft, before)
    await requireMakerBeside(draft, keysOfMember(draft, before), body.role, services.clock.now())
    return memberView(draft.put(membersTable, { ...before, role: body.role }))
  },
})

const removeMember = area.delete('/members/{user_id}', {
  operationId: 'removeMember',
  summary: 'Remove a member',
  description:
    'Keys that are bound to the member are revoked with the membership. Keys that the member created for others stay; the audit log has them as ' +
    '`createApiKey`. The last admin cannot be removed (409 `last_admin`), nor can a member whose keys are the only ones that can create keys ' +
    '(409 `last_key`).',
  of: members,
  answer: null,
  errors: [lastAdmin, lastKey],
  async change({ row }, draft, services) {
    raiseTeam(draft, row.organization_id)
    requireOtherAdmin(draft, row)
    const keys = keysOfMember(draft, row)
    removePasskeys(draft, row)
    await requireMakerBeside(draft, keys, undefined, services.clock.now())
    for (const key of keys) removeKey(key, draft)
    draft.remove(membersTable, membersTable.key(row))
    return undefined
  },
})

export const memberRoutes = [listMembers, changeRole, removeMember]
