// The area of commands: what partners have charge points do for their drivers.

import { defineArea } from '../../pipeline/area.js'
import { fromPartner, ocpi } from '../../surfaces/ocpi.js'
import { modulePath } from '../ocpi-versions/addresses.js'

export const area = defineArea(ocpi, {
  tag: 'OCPI commands',
  about: 'Start and stop charges, reserve, and unlock connectors, for the drivers of a partner.',
  path: modulePath('commands'),
  requires: fromPartner,
})
