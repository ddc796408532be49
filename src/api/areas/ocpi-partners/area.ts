// The area of roaming partners as an organization sees them: who they are, how far they are, and what they may see.

import { ocpiPartnersTable } from '../../../records/ocpi-partner.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Roaming partners',
  about:
    'E-mobility service providers and hubs that are connected over OCPI 2.2.1: their registration, their tokens, and what they see.',
  path: '/api/v1/ocpi',
  read: 'read:ocpi',
  write: 'write:ocpi',
})

export const partners = defineOwned({
  table: ocpiPartnersTable,
  id: 'partner_id',
  idPrefix: 'ptn',
  called: 'roaming partner',
})
