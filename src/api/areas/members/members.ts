// The members of an organization: listed, given another role, removed. They join by accepting an invitation (invitations.ts).

import { Type } from 'typebox'
import { type Member, membersTable, roles } from '../../../records/member.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { putRow, removeRow } from '../../pipeline/changes.js'
import { defineList } from '../../pipeline/list-route.js'
import { readPage } from '../../pipeline/paging.js'
import { defineRoute } from '../../pipeline/route.js'
import { timestamp } from '../../pipeline/schemas.js'
import { operator } from '../../surfaces/operator.js'
import { keysOfMember, removeKey } from '../api-keys/api-keys.js'
import { lastKey } from '../api-keys/errors.js'
import { afterTheRoleOf } from '../api-keys/last-key.js'
import { organizationParams, ownOrganization } from '../organizations/organizations.js'
import { lastAdmin } from './errors.js'
import { changeTeam } from './team.js'

export const memberFields = {
  user_id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.Enum([...roles]),
  joined_at: timestamp(),
}

export function memberView({ user_id, email, name, role, joined_at }: Member) {
  return { user_id, email, name, role, joined_at }
}

const memberParams = Type.Object({ ...organizationParams.properties, user_id: Type.String({ maxLength: 64 }) })

function memberOf(view: ReadView, organizationId: string, userId: string): Member {
  const member = view.get(membersTable, [organizationId, userId])
  if (member === undefined) throw notFound('there is no such member')
  return member
}

/** An organization that has an admin keeps one. Throws `last_admin`. */
function requireOtherAdmin(view: ReadView, { organization_id, role }: Member): void {
  if (role === 'admin' && view.total(membersTable, 'byRole', [organization_id, 'admin']) === 1)
    throw lastAdmin('this is the last admin: make another member one first')
}

const listMembers = defineList({
  surface: operator,
  path: '/api/v1/organizations/{org_id}/members',
  operationId: 'listMembers',
  summary: 'List the members of the own organization',
  tags: ['Organizations'],
  scopes: ['read:organisations'],
  params: organizationParams,
  row: Type.Object(memberFields),
  perPage: 50,
  maximum: 200,
  errors: [notFound],
  read({ principal, params, query }, services) {
    const { organization_id } = ownOrganization(principal, params.org_id)
    const list = { index: 'byOrganization', group: [organization_id] }
    const { rows, total } = readPage({ view: services.view(), table: membersTable, list, query })
    return { rows: rows.map(memberView), total }
  },
})

const changeRole = defineRoute({
  method: 'PUT',
  path: '/api/v1/organizations/{org_id}/members/{user_id}/role',
  operationId: 'changeMemberRole',
  summary: "Change a member's role",
  description:
    'Keys that are bound to the member do what the new role lets them, at once. The last admin stays one: 409 `last_admin`; so does ' +
    'one whose keys alone can make keys: 409 `last_key`.',
  tags: ['Organizations'],
  surface: operator,
  scopes: ['write:organisations'],
  params: memberParams,
  body: Type.Object({ role: Type.Enum([...roles]) }),
  responses: { 200: Type.Object(memberFields) },
  errors: [notFound, lastAdmin, lastKey, conflict],
  sheddable: 'never',
  examples: { promote: { role: 'admin' } },
  async handle({ principal, params, body }, services) {
    const { organization_id } = ownOrganization(principal, params.org_id)
    const view = services.view()
    const change = changeTeam(view, organization_id)
    const before = memberOf(view, organization_id, params.user_id)
    if (before.role === body.role) return { status: 200, body: memberView(before) }
    requireOtherAdmin(view, before)
    const able = await afterTheRoleOf(before, body.role, services.clock.now(), view)
    const row: Member = { ...before, version: before.version + 1, role: body.role }
    const { changes, conditions } = change([putRow(membersTable, row)])
    return { status: 200, body: memberView(row), changes, conditions: [...conditions, ...able] }
  },
})

const removeMember = defineRoute({
  method: 'DELETE',
  path: '/api/v1/organizations/{org_id}/members/{user_id}',
  operationId: 'removeMember',
  summary: 'Remove a member',
  description:
    'Keys that are bound to the member are revoked with them; those that they made for others stay, and are in the audit log ' +
    'as `createApiKey`. The last admin stays: 409 `last_admin`; so does one whose keys alone can make keys: 409 `last_key`.',
  tags: ['Organizations'],
  surface: operator,
  scopes: ['write:organisations'],
  params: memberParams,
  responses: { 204: null },
  errors: [notFound, lastAdmin, lastKey, conflict],
  sheddable: 'never',
  async handle({ principal, params }, services) {
    const { organization_id } = ownOrganization(principal, params.org_id)
    const view = services.view()
    const change = changeTeam(view, organization_id)
    const member = memberOf(view, organization_id, params.user_id)
    requireOtherAdmin(view, member)
    const keys = keysOfMember(view, organization_id, member.user_id)
    const able = await afterTheRoleOf(member, undefined, services.clock.now(), view)
    const { changes, conditions } = change([
      removeRow(membersTable, membersTable.key(member)),
      ...keys.flatMap((key) => removeKey(key)),
    ])
    return { status: 204, changes, conditions: [...conditions, ...able] }
  },
})

export const memberRoutes = [listMembers, changeRole, removeMember]
