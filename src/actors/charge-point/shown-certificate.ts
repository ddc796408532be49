// What a charge point has shown when it connected with a client certificate: that it has one, which is its newest, and when that ends.

import type { Watches } from '../../records/alert.js'
import { type ChargePointState, comesWithNewer } from '../../records/charge-point-state.js'
import { registrationMark } from '../../records/client-certificate.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { noteCertificate } from './alerts.js'
import type { SocketDetails } from './messages.js'
import { planRenewal } from './renewal.js'
import type { State } from './state.js'

export interface Shown {
  readonly change: Partial<ChargePointState>
  readonly effects: readonly Effect[]
}

/** `watches`: as they are with what else the connection changes. */
export function noteShownCertificate(
  state: State,
  details: SocketDetails,
  watches: Watches | undefined,
  context: Context,
): Shown {
  const watched = noteCertificate(watches, details.certificateExpiresAt, context)
  if (details.securityProfile !== 3) return watched
  const renewal = planRenewal(state, details, context)
  return {
    change: {
      ...watched.change,
      presented_certificate: true,
      certificate_presented_at: new Date(details.connectedAt).toISOString(),
      ...newestCertificate(state, details),
      ...renewal.change,
    },
    effects: [...watched.effects, ...renewal.effects],
  }
}

/** It may be the newest so far of those that were issued: those before it are replaced. */
function newestCertificate(
  { registration, row }: State,
  { issuedCertificateFrom: valid_from }: SocketDetails,
): Pick<ChargePointState, 'newest_certificate'> {
  if (registration === undefined || valid_from === undefined) return {}
  const isNewer = !comesWithNewer(registration, row, valid_from)
  return isNewer ? { newest_certificate: { registration: registrationMark(registration), valid_from } } : {}
}
