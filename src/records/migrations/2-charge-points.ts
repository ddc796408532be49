// Version 1 wrote one connector and 22 kW of a charge point that registered itself, and nothing could change the count. Such a row is
// known by what nobody else writes: its id as its name, no address, and no place. From now on neither is known. And charge
// points with a running session are looked after until it ends, which version 1 did while the charge point was heard alone.

import { wakeUpsTable } from '../../runtime/actor/wake-ups.js'
import { defineMigrationStep } from '../../runtime/store/storage/migrate.js'
import { type ChargePoint, chargePointsTable } from '../charge-point.js'
import { sessionsTable } from '../session.js'

const chargePointKind = 'charge-point'
const silenceReason = 'silence'

export const countsAreKnownOrNot = defineMigrationStep<ChargePoint>(chargePointsTable, (stored, beside) => {
  const chargePoint = stored as ChargePoint
  const { charge_point_id: id, organization_id } = chargePoint
  const running = beside.view.listBy(sessionsTable, 'activeAtChargePoint', [organization_id, id], {
    limit: 1,
  })
  // Long ago, so that the actor knows that nobody has looked since, and takes a time of its own for its next look.
  if (running.length > 0) beside.put(wakeUpsTable, { kind: chargePointKind, id, reason: silenceReason, at: 0 })
  return registeredItself(chargePoint) ? withoutGuesses(chargePoint) : chargePoint
})

function registeredItself({
  charge_point_id,
  name,
  address,
  latitude,
  longitude,
  connector_count,
}: ChargePoint): boolean {
  return connector_count === 1 && latitude === 0 && longitude === 0 && address === '' && name === charge_point_id
}

/** A power that somebody has set since is no guess. */
function withoutGuesses({ connector_count: _, max_power_kw, ...known }: ChargePoint): ChargePoint {
  return max_power_kw === undefined || max_power_kw === 22 ? known : { ...known, max_power_kw }
}
