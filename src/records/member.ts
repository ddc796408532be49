// A member of an organization: a person with a role. Keys may be bound to one; the role then cuts their scopes.

import { defineTable } from '../runtime/store/table.js'
import { type Scope, scopes } from './api-key.js'

export const roles = ['admin', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

const withheldFromMembers: readonly Scope[] = ['write:organisations', 'write:api_keys', 'write:ocpi']
/** Raw messages say who charges, and whatever vendors transfer. */
const withheldFromViewers: readonly Scope[] = ['read:messages']

/** What each role may do at most. */
export const roleScopes: Readonly<Record<Role, readonly Scope[]>> = {
  admin: scopes,
  member: scopes.filter((scope) => !withheldFromMembers.includes(scope)),
  viewer: scopes.filter((scope) => scope.startsWith('read:') && !withheldFromViewers.includes(scope)),
}

export interface Member {
  readonly organization_id: string
  readonly user_id: string
  readonly version: number
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly joined_at: string
}

export const membersTable = defineTable<Member>({
  name: 'members',
  key: (row) => [row.organization_id, row.user_id],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byEmail: (row) => [{ group: [row.organization_id, row.email.toLowerCase()] }],
    /** Of all organizations: who has an address. */
    byAddress: (row) => [{ group: [row.email.toLowerCase()] }],
    byRole: (row) => [{ group: [row.organization_id, row.role] }],
  },
  uncounted: ['byEmail', 'byAddress'],
})
