// A changed registration, and the word of it to the charge point's actor.

import { chargePointAddress } from '../../../actors/charge-point/messages.js'
import { type ChargePoint, chargePointsTable } from '../../../records/charge-point.js'
import { putRow } from '../../pipeline/changes.js'
import type { Answer } from '../../pipeline/route.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'

export function registrationChanged(chargePointId: string) {
  return { to: chargePointAddress(chargePointId), message: { type: 'registration-changed' } }
}

/** The answer that stores a changed charge point, unless somebody else has changed it meanwhile: then the handler runs again. */
export function changeChargePoint(
  before: ChargePoint,
  after: ChargePoint,
  services: Services,
): Pick<Answer, 'changes' | 'conditions' | 'tell'> & { readonly stored: ChargePoint } {
  const stored = { ...after, version: before.version + 1, updated_at: formatTimestamp(services.clock.now()) }
  const key = [before.charge_point_id]
  return {
    stored,
    changes: [putRow(chargePointsTable, stored)],
    conditions: [{ condition: { table: chargePointsTable.name, key, is: 'version', version: before.version } }],
    tell: [registrationChanged(before.charge_point_id)],
  }
}
