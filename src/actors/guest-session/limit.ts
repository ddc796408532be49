// Ends a charge that is about to cost more than was set aside for it: the charge point is asked again and again until it stops, and
// somebody is alerted when it does not.

import { guestChargeNotStopped } from '../../alert-kinds/guest-charge-not-stopped.js'
import { finding, raise, resolve } from '../../alerts/alert.js'
import { guestSessionLimitReached } from '../../events/guest-session.js'
import { callOf, remoteStopTransaction } from '../../ocpp16/index.js'
import { minorOf, minorUnitsOf } from '../../pricing/money.js'
import type { GuestSession } from '../../records/guest-session.js'
import type { Session } from '../../records/session.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { beginCommand, type RunningCommand } from './commands.js'
import { foreseenCost } from './foreseen-cost.js'
import { guestEvent, lookAgainMs, save } from './save.js'
import { availableMinor } from './settlement.js'

interface Watching {
  row: GuestSession | undefined
  command: RunningCommand | undefined
}

const none: readonly Effect[] = []
/** A stop that is asked for now ends the charge within this time. */
const foreseenMs = 60_000
/** Looks come this often when the limit is near. */
const lookSoonMs = 10_000
const firstPauseMs = 20_000
const longestPauseMs = 5 * 60_000
/** So many stops that the charge point accepts and does not carry out are a reason for an alert. */
const attemptsBeforeAlert = 3

/** Looks at a charge that runs, and asks for its stop where it is due. */
export function watchLimit(state: Watching, row: GuestSession, session: Session, context: Context): readonly Effect[] {
  const view = context.read()
  const steady = context.steady()
  // As the clock would show it if nobody had set it since the charge began.
  const now = row.joined === undefined ? context.now() : row.joined.wall + steady - row.joined.steady
  const currency = session.currency ?? row.payment.currency
  const available = availableMinor(currency, row)
  const foreseenMinor = (ms: number): number =>
    minorOf(foreseenCost(view, session, now, now + ms), minorUnitsOf(currency))
  if (foreseenMinor(foreseenMs) < available) {
    // The next look must come before a stop is due.
    const isNear = foreseenMinor(foreseenMs + lookAgainMs) >= available
    return [...save(state, withoutLimit(row), context, isNear ? lookSoonMs : lookAgainMs), ...endAlert(row, context)]
  }
  const { limit } = row
  if (state.command !== undefined || (limit !== undefined && steady < Date.parse(limit.next_attempt_at)))
    return save(state, row, context, lookSoonMs)
  const attempts = (limit?.attempts ?? 0) + 1
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempts - 1, 10))
  const reached: GuestSession = {
    ...row,
    limit: {
      ...limit,
      reached_at: limit?.reached_at ?? new Date(context.now()).toISOString(),
      attempts,
      next_attempt_at: new Date(steady + pauseMs).toISOString(),
    },
  }
  const goesOn =
    attempts > attemptsBeforeAlert ? alertOf(state, reached, 'it goes on after several stops', context) : none
  return [
    ...save(state, reached, context, lookSoonMs),
    ...(limit === undefined ? [guestEvent(guestSessionLimitReached, reached)] : none),
    ...goesOn,
    ...remoteStop(state, state.row ?? reached, context),
  ]
}

export function remoteStop(state: Watching, row: GuestSession, context: Context): readonly Effect[] {
  // Only a charge that runs is stopped, and one that runs has a transaction.
  const call = callOf(remoteStopTransaction, { transactionId: row.transaction_id as number })
  return beginCommand(state, row, 'stop', call, context)
}

/** The charge point has not accepted a stop that the limit asks for: once for each charge, until it ends. */
export function stopRefused(state: Watching, row: GuestSession, context: Context): readonly Effect[] {
  return row.limit === undefined || row.status !== 'charging'
    ? none
    : alertOf(state, row, 'the charge point has not accepted the stop', context)
}

function alertOf(state: Watching, row: GuestSession, why: string, context: Context): readonly Effect[] {
  const { limit } = row
  if (limit === undefined || limit.alert_id !== undefined) return none
  const about = {
    organizationId: row.organization_id,
    subject: row.guest_session_id,
    chargePointId: row.charge_point_id,
    connectorId: row.connector_id,
  }
  const facts = { guestSessionId: row.guest_session_id, why }
  const { alert, effects } = raise(finding(guestChargeNotStopped, about, facts), context)
  return [...save(state, { ...row, limit: { ...limit, alert_id: alert.alert_id } }, context, lookSoonMs), ...effects]
}

/** The charge has ended, or a later reading says that the limit is not reached. */
export function endAlert({ limit }: GuestSession, context: Context): readonly Effect[] {
  return limit?.alert_id === undefined ? none : resolve(limit.alert_id, context)
}

function withoutLimit(row: GuestSession): GuestSession {
  if (row.limit === undefined) return row
  const { limit, ...others } = row
  return others
}
