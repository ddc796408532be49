// Which commissionings are of a charge point: those of its present registration.

import type { InstalledChargePoint } from '../../../records/charge-point.js'
import {
  type CommissioningSession,
  commissioningSessionsTable,
  isOfRegistration,
  newestSession,
} from '../../../records/commissioning.js'
import { notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Services } from '../../pipeline/services.js'
import { commissioningNotStarted } from './errors.js'

export function newestOf(
  view: ReadView,
  { charge_point_id, installed }: InstalledChargePoint,
): CommissioningSession | undefined {
  const found = newestSession(view, charge_point_id)
  return found !== undefined && isOfRegistration(found, installed) ? found : undefined
}

/** Throws `commissioning_not_started`. */
export function requireNewest(row: InstalledChargePoint, services: Services): CommissioningSession {
  const found = newestOf(services.view(), row)
  if (found !== undefined) return found
  throw commissioningNotStarted('no commissioning of the charge point was started', {
    chargePointId: row.charge_point_id,
  })
}

/** Throws `not_found`. */
export function requireSession(
  { charge_point_id, installed }: InstalledChargePoint,
  sessionId: string,
  services: Services,
): CommissioningSession {
  const found = services.view().get(commissioningSessionsTable, [sessionId])
  if (found?.charge_point_id === charge_point_id && isOfRegistration(found, installed)) return found
  throw notFound('there is no such commissioning of the charge point', { chargePointId: charge_point_id })
}
