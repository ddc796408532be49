// The area of locations as roaming partners read them.

import { defineArea } from '../../pipeline/area.js'
import { fromPartner, ocpi } from '../../surfaces/ocpi.js'
import { modulePath } from '../ocpi-versions/addresses.js'

export const area = defineArea(ocpi, {
  tag: 'OCPI locations',
  about: 'Locations with their EVSEs and connectors, and what these are doing now.',
  path: modulePath('locations'),
  requires: fromPartner,
})
