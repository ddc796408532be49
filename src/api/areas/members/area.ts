// The area of members: the people of an organization, whose roles say what their keys may do.

import { membersTable } from '../../../records/member.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { operator } from '../../surfaces/operator.js'
import { organizations } from '../organizations/area.js'

export const area = defineArea(operator, {
  tag: 'Organizations',
  path: '/api/v1/organizations/{org_id}',
  within: organizations,
  read: 'read:organisations',
  write: 'write:organisations',
})

export const members = defineOwned({
  table: membersTable,
  id: 'user_id',
  idPrefix: 'usr',
  called: 'member',
  keyOf: (organizationId, userId) => [organizationId, userId],
})
