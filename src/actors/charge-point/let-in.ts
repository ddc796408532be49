// Whether a socket may stay: what it was let in with may have been taken back since.

import type { ChargePoint } from '../../records/charge-point.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import type { SocketDetails } from './messages.js'
import type { State } from './state.js'

const none: readonly Effect[] = []

/** Why it may not; undefined where it may. */
export function whyNotLetIn(
  registration: ChargePoint,
  { securityProfile, connectedAt }: SocketDetails,
): string | undefined {
  const isBefore = (instant: string | undefined): boolean => instant !== undefined && connectedAt <= Date.parse(instant)
  if (securityProfile === 3)
    return isBefore(registration.certificates_revoked_at) ? 'the certificate has been revoked' : undefined
  return isBefore(registration.authorization_key_changed_at) ? 'the password has been changed' : undefined
}

/** Closes the live socket where it may not stay. */
export function endUnlessLetIn({ connection, registration }: State, context: Context): readonly Effect[] {
  const live = context.connection
  if (connection === undefined || registration === undefined || live?.connection !== connection) return none
  const reason = whyNotLetIn(registration, live.details as SocketDetails)
  return reason === undefined ? none : [effect.close(connection, 1000, reason)]
}
