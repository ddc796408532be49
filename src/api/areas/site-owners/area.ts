// The area of site owners: those on whose ground an organization has charge points. Under `/site-owner` they act themselves, with a key that
// is theirs alone; under `/site-owners` the organization does that invited them.

import { siteOwnersTable } from '../../../records/site-owner.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Site owners',
  about: 'Owners of sites: invitation, profile, bank details, documents and approval.',
  path: '/api/v1',
  read: 'read:organisations',
  write: 'write:organisations',
})

/** As those of the organization that invited them. */
export const siteOwners = defineOwned({
  table: siteOwnersTable,
  id: 'site_owner_id',
  idPrefix: 'own',
  called: 'site owner',
})
