// What a hub says of the parties that it connects (OCPI 2.2.1, 15).

import type { Static } from 'typebox'
import { countryCode, dateTime, object, oneOf, partyId, role } from './common.js'

export const connectionStatuses = ['CONNECTED', 'OFFLINE', 'PLANNED', 'SUSPENDED'] as const
export type ConnectionStatus = (typeof connectionStatuses)[number]

export const clientInfoSchema = object('ClientInfo', {
  party_id: partyId(),
  country_code: countryCode(),
  role: role(),
  status: oneOf(connectionStatuses),
  last_updated: dateTime(),
})
export type ClientInfo = Static<typeof clientInfoSchema>
