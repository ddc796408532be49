// The area of the module chargingprofiles, of which the service is the receiver.

import { defineArea } from '../../pipeline/area.js'
import { fromPartner, ocpi } from '../../surfaces/ocpi.js'
import { modulePath } from '../ocpi-versions/addresses.js'

export const area = defineArea(ocpi, {
  tag: 'OCPI charging profiles',
  about: 'What a partner allows a session of its driver to draw, over time.',
  path: modulePath('chargingprofiles'),
  requires: fromPartner,
})
