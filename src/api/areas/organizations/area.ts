// The area of organizations. A caller knows of no organization but its own, save the one that operates the installation.

import { organizationsTable } from '../../../records/organization.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Organizations',
  about: 'The organization itself: settings, members, invitations and plan.',
  path: '/api/v1/organizations',
  read: 'read:organisations',
  write: 'write:organisations',
})

export const organizations = defineOwned({
  table: organizationsTable,
  id: 'org_id',
  idPrefix: 'org',
  called: 'organization',
})
