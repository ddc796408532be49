// The area of the module sessions, of which the service is the sender.

import { defineArea } from '../../pipeline/area.js'
import { fromPartner, ocpi } from '../../surfaces/ocpi.js'
import { modulePath } from '../ocpi-versions/addresses.js'

export const area = defineArea(ocpi, {
  tag: 'OCPI sessions',
  about: "The charges of a partner's drivers, running and ended.",
  path: modulePath('sessions'),
  requires: fromPartner,
})
