// What a running session has taken as last metered, read from the store: for whoever prices it without being its charge point.

import { chargePointsTable, maxPowerKwOf } from '../../records/charge-point.js'
import type { Session } from '../../records/session.js'
import type { ReadView } from '../../runtime/store/store.js'
import { mostBetweenOf } from './energy.js'
import { storedRegister } from './session-register.js'

/** Wh: what an estimated close would count now. */
export function energyDeliveredWh(view: ReadView, session: Session): number {
  const maxPowerKw = maxPowerKwOf(view.get(chargePointsTable, [session.charge_point_id]), session)
  const suspect = session.flags.includes('clock_suspect')
  return storedRegister(view, session, mostBetweenOf(maxPowerKw, suspect)).taken
}
