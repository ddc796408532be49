// What the world is told of connections: each that is told to have begun is told to have ended, whatever became of the service
// meanwhile.

import { chargePointConnected, chargePointDisconnected } from '../../events/charge-point.js'
import { emit } from '../../events/define-event.js'
import type { ChargePointState } from '../../records/charge-point-state.js'
import { isOnline, type LiveNodes, wasLost } from '../../records/presence.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'

/** OCPP-J, 3.3 and RFC 6455, 7.4.1: the socket ended without a close. */
const abnormalClosure = 1006
const normalClosure = 1000
export const replacedReason = 'replaced by a newer connection'

/** A connection has begun. `row` is as it was before: what it tells of has ended then, however that came. */
export function connected(
  row: ChargePointState,
  {
    live,
    connectedAt,
    remoteAddress,
  }: { readonly live: LiveNodes; readonly connectedAt: string; readonly remoteAddress: string },
  context: Context,
): readonly Effect[] {
  const isReplaced = isOnline(row, live)
  return [
    ...(isReplaced
      ? [disconnected(row, connectedAt, normalClosure, replacedReason)]
      : lostWithTheService(row, live, context)),
    begun(row, connectedAt, remoteAddress),
  ]
}

function begun(row: ChargePointState, connectedAt: string, remoteAddress: string): Effect {
  return emit(chargePointConnected, about(row), {
    charge_point_id: row.charge_point_id,
    connected_at: connectedAt,
    remote_address: remoteAddress,
  })
}

/** The connection goes on for an organization that was told of none of it: it has begun there. */
export function takenOver(row: ChargePointState, live: LiveNodes, context: Context): readonly Effect[] {
  if (!isOnline(row, live)) return []
  const { connected_at = new Date(context.now()).toISOString(), remote_address = '' } = row
  return [begun(row, connected_at, remote_address)]
}

export function disconnected(row: ChargePointState, disconnectedAt: string, code: number, reason: string): Effect {
  return emit(chargePointDisconnected, about(row), {
    charge_point_id: row.charge_point_id,
    disconnected_at: disconnectedAt,
    code,
    reason,
  })
}

/** A connection that ended together with its node, which could not tell of it. Its last sign of life is its end. */
export function lostWithTheService(row: ChargePointState, live: LiveNodes, context: Context): readonly Effect[] {
  if (!wasLost(row, live)) return []
  const lastSeenAt = row.last_seen_at ?? new Date(context.now()).toISOString()
  return [disconnected(row, lastSeenAt, abnormalClosure, 'the service was interrupted')]
}

/** To the organization that had it: who registers the id next has nothing to do with it. */
export function removed(row: ChargePointState, context: Context): Effect {
  const now = new Date(context.now()).toISOString()
  return disconnected(row, now, normalClosure, 'the charge point has been removed')
}

function about({ organization_id, charge_point_id }: ChargePointState) {
  return { organizationId: organization_id, subject: charge_point_id }
}
