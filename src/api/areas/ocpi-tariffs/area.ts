// The area of the module tariffs, of which the service is the sender.

import { defineArea } from '../../pipeline/area.js'
import { fromPartner, ocpi } from '../../surfaces/ocpi.js'
import { modulePath } from '../ocpi-versions/addresses.js'

export const area = defineArea(ocpi, {
  tag: 'OCPI tariffs',
  about: 'What charging costs, as far as OCPI can express it.',
  path: modulePath('tariffs'),
  requires: fromPartner,
})
