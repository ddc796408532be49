// The area of tokens: partners say which drivers they have (OCPI 2.2.1, 12.2.1).

import { defineArea } from '../../pipeline/area.js'
import { fromPartner, ocpi } from '../../surfaces/ocpi.js'
import { modulePath } from '../ocpi-versions/addresses.js'

export const area = defineArea(ocpi, {
  tag: 'OCPI tokens',
  about: "The tokens of partners' drivers, and whether they may charge.",
  path: modulePath('tokens'),
  requires: fromPartner,
})
