// Energy that a connector cannot have delivered is billed all the same, since the charge point's meter is the only one there is; that
// somebody should look at it is told when it first shows.

import { sessionImplausible } from '../../alert-kinds/session-implausible.js'
import { finding, noticeAtMostHourly } from '../../alerts/alert.js'
import type { Session } from '../../records/session.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { implausibleFlag } from './energy.js'
import type { State } from './state.js'

const none: readonly Effect[] = []

const hourMs = 3_600_000

export function warnOfImplausible(state: State, before: Session, ended: Session, context: Context): readonly Effect[] {
  if (!ended.flags.includes(implausibleFlag) || before.flags.includes(implausibleFlag)) return none
  // Of several sessions that one message ends, the store does not have the first one's notice yet.
  if (Math.abs(context.now() - state.warnedOfImplausibleAt) < hourMs) return none
  state.warnedOfImplausibleAt = context.now()
  const { session_id, organization_id, charge_point_id, connector_id, energy_wh = 0 } = ended
  const about = {
    organizationId: organization_id,
    subject: charge_point_id,
    chargePointId: charge_point_id,
    connectorId: connector_id,
  }
  const facts = { sessionId: session_id, energyWh: energy_wh }
  return noticeAtMostHourly(finding(sessionImplausible, about, facts), context)
}
