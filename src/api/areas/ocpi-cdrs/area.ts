// The area of the module cdrs, of which the service is the sender.

import { defineArea } from '../../pipeline/area.js'
import { fromPartner, ocpi } from '../../surfaces/ocpi.js'
import { modulePath } from '../ocpi-versions/addresses.js'

export const area = defineArea(ocpi, {
  tag: 'OCPI CDRs',
  about: "What the charges of a partner's drivers have cost, as it was when they ended.",
  path: modulePath('cdrs'),
  requires: fromPartner,
})
