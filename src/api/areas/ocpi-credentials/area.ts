// The area of credentials: how a partner and an organization come to know each other, and part.

import { defineArea } from '../../pipeline/area.js'
import { ocpi } from '../../surfaces/ocpi.js'
import { goodForRegistration } from '../../surfaces/ocpi-token.js'
import { modulePath } from '../ocpi-versions/addresses.js'

export const area = defineArea(ocpi, {
  tag: 'OCPI credentials',
  about: 'Registration, new tokens, and the end of a connection.',
  path: modulePath('credentials'),
  requires: [goodForRegistration],
})
