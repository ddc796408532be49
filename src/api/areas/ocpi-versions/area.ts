// The area of versions: where every partner begins.

import { defineArea } from '../../pipeline/area.js'
import { ocpi } from '../../surfaces/ocpi.js'
import { goodForRegistration } from '../../surfaces/ocpi-token.js'

export const area = defineArea(ocpi, {
  tag: 'OCPI versions',
  about: 'The version of OCPI that the service speaks, and the addresses of its modules.',
  path: '/ocpi/versions',
  requires: [goodForRegistration],
})
