// The area of the module hubclientinfo, of which the service is the receiver (OCPI 2.2.1, 15). It has no routing headers.

import { isHub } from '../../../records/ocpi-hub-party.js'
import { notFound } from '../../../runtime/errors.js'
import { defineArea } from '../../pipeline/area.js'
import type { Requirement } from '../../pipeline/surface.js'
import { ocpi } from '../../surfaces/ocpi.js'
import { type OcpiPrincipal, registeredPartner } from '../../surfaces/ocpi-token.js'
import { modulePath } from '../ocpi-versions/addresses.js'

const hubOnly: Requirement<OcpiPrincipal> = {
  error: notFound,
  message: 'no role of your credentials is HUB: the module hubclientinfo is for hubs',
  isMet: ({ partner }) => isHub(partner),
}

export const area = defineArea(ocpi, {
  tag: 'OCPI hub client info',
  about: 'A hub says which of its parties can be reached.',
  path: modulePath('hubclientinfo'),
  requires: [registeredPartner, hubOnly],
})
