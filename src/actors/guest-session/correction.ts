// A cost that changes after the charge has ended: a late StopTransaction, or an operator's correction. What was paid too much is
// given back; what is missing is written off, for what was set aside has been captured or released by then.

import { guestSessionCorrected } from '../../events/guest-session.js'
import type { GuestSession } from '../../records/guest-session.js'
import { sessionsTable } from '../../records/session.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { balanceOf } from './balance.js'
import { withRefundDue } from './refunds.js'
import { guestEvent, save } from './save.js'
import { alert, amountDue } from './settlement.js'

const none: readonly Effect[] = []

/** Nothing, where the session still is what the guest was billed for: it may be called any number of times. */
export function correct(
  state: { row: GuestSession | undefined },
  row: GuestSession,
  context: Context,
): readonly Effect[] {
  if (row.end !== 'charged' || row.session_id === undefined) return none
  const session = context.read().get(sessionsTable, [row.session_id])
  if (session === undefined || session.status === 'active') return none
  const { cost, currency } = amountDue(session, row)
  const ended_at = session.ended_at ?? session.started_at
  const energy_wh = session.energy_wh ?? 0
  const isSame = cost === row.final_cost && currency === row.currency
  if (isSame && energy_wh === row.energy_wh && ended_at === row.ended_at) return none
  const now = context.now()
  const changed = { ...row, energy_wh, final_cost: cost, currency, ended_at }
  if (isSame) return save(state, changed, context)
  const corrected = withRefundDue({ ...changed, corrected_at: new Date(now).toISOString() }, context.steady())
  const more = (balanceOf(corrected).writtenOff ?? 0) > (balanceOf(row).writtenOff ?? 0)
  return [
    ...save(state, corrected, context),
    guestEvent(guestSessionCorrected, corrected),
    ...(more
      ? alert(
          corrected,
          'the cost of a guest session was corrected to more than was captured: the rest is not paid',
          context,
        )
      : none),
  ]
}
