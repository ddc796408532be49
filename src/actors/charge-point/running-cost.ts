// What running sessions cost so far: told at most once a minute, when a message has changed it. The last told figure is kept with the
// session, so that neither a restart nor a list has to work it out.

import type { Session } from '../../records/session.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { priceSoFar } from './session-cost.js'
import { sessionCostUpdated } from './session-events.js'
import { registerOf } from './session-register.js'
import { replaceSession, type State } from './state.js'

const none: readonly Effect[] = []
const toldEveryMs = 60_000

/** The meter values of the message in hand have been taken. */
export function updateCost(state: State, session: Session, context: Context): readonly Effect[] {
  if (session.tariff_snapshot === undefined || session.status !== 'active') return none
  const now = context.now()
  // Either way: a clock that was set back must not silence the session.
  const toldAt = session.cost_told_at === undefined ? undefined : Date.parse(session.cost_told_at)
  if (toldAt !== undefined && Math.abs(now - toldAt) < toldEveryMs) return none
  const energyWh = registerOf(state, session, context).taken
  const priced = priceSoFar(context.read(), session, { asOf: now, energyWh })
  if (priced === undefined || priced.total === session.cost_so_far) return none
  const told: Session = { ...session, cost_so_far: priced.total, cost_told_at: new Date(now).toISOString() }
  return [replaceSession(state, told), sessionCostUpdated(told, priced, told.cost_told_at as string)]
}
