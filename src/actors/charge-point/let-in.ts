// Whether a socket may stay: what it was let in by may have been taken back since.

import type { ChargePoint } from '../../records/charge-point.js'
import { owesCertificate } from '../../records/charge-point-state.js'
import { isCertificateGood, isKeyRetired, isPasswordGood } from '../../records/let-in-by.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import type { SocketDetails } from './messages.js'
import type { State } from './state.js'

const none: readonly Effect[] = []
export const passwordChanged = 'the password has been changed'
export const certificateRevoked = 'the certificate has been revoked'
export const certificateRequired = 'the charge point must present its client certificate'

/** Why a socket that is announced may not stay; undefined where it may. */
export function whyNotLetIn(registration: ChargePoint, row: State['row'], details: SocketDetails): string | undefined {
  const { securityProfile, certificateAsked } = details
  // Another socket may have come with the certificate while this one was let in without.
  const owes = certificateAsked === true && owesCertificate(registration, row)
  if (securityProfile !== 3 && (registration.certificate_required ?? owes)) return certificateRequired
  const taken = whyTakenBack(registration, details)
  return taken ?? (isKeyRetired(details.letInBy, registration) ? passwordChanged : undefined)
}

function whyTakenBack(registration: ChargePoint, { securityProfile, letInBy }: SocketDetails): string | undefined {
  if (securityProfile === 3) return isCertificateGood(letInBy, registration) ? undefined : certificateRevoked
  return isPasswordGood(letInBy, registration) ? undefined : passwordChanged
}

/** Closes the live socket where what it was let in by has been taken back. */
export function endUnlessLetIn({ connection, details, registration }: State, context: Context): readonly Effect[] {
  const live = context.connection
  // A newer socket may be there, which is announced only later, and may not stay either.
  const shown = live?.connection === connection ? (live?.details as SocketDetails) : details
  if (connection === undefined || registration === undefined || shown === undefined) return none
  const reason = whyTakenBack(registration, shown)
  return reason === undefined ? none : [effect.close(connection, 1000, reason)]
}
