// Whether a socket may stay: what it was let in with may have been taken back since.

import type { ChargePoint } from '../../records/charge-point.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import type { SocketDetails } from './messages.js'
import type { State } from './state.js'

const none: readonly Effect[] = []

/** Why it may not; undefined where it may. */
export function whyNotLetIn(
  { certificates_revoked_at: revokedAt }: ChargePoint,
  socket: SocketDetails,
): string | undefined {
  if (revokedAt === undefined || socket.securityProfile !== 3) return undefined
  return Date.parse(revokedAt) < socket.connectedAt ? undefined : 'the certificate has been revoked'
}

/** Closes the live socket where it may not stay. */
export function endUnlessLetIn({ connection, registration }: State, context: Context): readonly Effect[] {
  const live = context.connection
  if (connection === undefined || registration === undefined || live?.connection !== connection) return none
  const reason = whyNotLetIn(registration, live.details as SocketDetails)
  return reason === undefined ? none : [effect.close(connection, 1000, reason)]
}
