// Tells a partner that the connection is over; what it answers changes nothing.

import { callTokenOf } from '../../../ocpi/call-token.js'
import { endpointOf, type OcpiPartner } from '../../../records/ocpi-partner.js'
import type { Services } from '../../pipeline/services.js'
import { endAt } from '../ocpi-credentials/partner-calls.js'

/** Some leave out the role of `credentials`, which says nothing. */
export function credentialsUrl(partner: Parameters<typeof endpointOf>[0]): string | undefined {
  return endpointOf(partner, 'credentials', 'SENDER') ?? endpointOf(partner, 'credentials', 'RECEIVER')
}

export async function endConnection(services: Services, partner: OcpiPartner): Promise<void> {
  const url = credentialsUrl(partner)
  const { connection, partner_id, status } = partner
  if (connection === undefined || url === undefined || status !== 'registered') return
  const access = { partner_id, token: callTokenOf(connection), encoding: partner.token_encoding }
  const outcome = await endAt(services, access, url)
  if (outcome.type !== 'delivered')
    services.log.warn({ partner_id, outcome: outcome.message }, 'a roaming partner was not told that it is deleted')
}
