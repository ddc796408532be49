// What goes with the registration of a charge point, and what it has to wait for.

import { removalWakeUp } from '../../../actors/charge-point/messages.js'
import { lookWakeUp, removedWakeUp } from '../../../actors/commissioning/messages.js'
import { placeOf } from '../../../ocpi/location/read-place.js'
import { type ChargePoint, isInstalled, isUnclaimed } from '../../../records/charge-point.js'
import { commissioningIssuesTable, issuesOf } from '../../../records/commissioning-issue.js'
import { configurationOverridesTable } from '../../../records/configuration.js'
import { ocpiPlacesTable } from '../../../records/ocpi-place.js'
import { sessionsTable } from '../../../records/session.js'
import { tariffAssignmentsTable } from '../../../records/tariff.js'
import { wakeUpsTable } from '../../../runtime/actor/wake-ups.js'
import type { AmpshardError } from '../../../runtime/errors.js'
import { putRow } from '../../pipeline/changes.js'
import type { Draft } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'
import { announcePlace } from './announce-place.js'
import { announceRegistration } from './change-charge-point.js'
import { publishRemoved } from './publish.js'
import { noteAllRevoked } from './revoked-certificates.js'

/** Throws `isRunning` where a session runs at the charge point; removes all but its history and the row itself. */
export function removeAlong(
  draft: Draft,
  chargePoint: ChargePoint,
  isRunning: AmpshardError,
  services: Pick<Services, 'clock'>,
): void {
  const { charge_point_id, organization_id, installed, version } = chargePoint
  // A session that starts at this moment keeps its charge point. One from before a claim is its installer's until it has been closed.
  const owners = new Set([organization_id, installed?.installer_id ?? organization_id])
  for (const owner of owners) {
    const running = { index: 'activeAtChargePoint', group: [owner, charge_point_id] }
    draft.requireNone(sessionsTable, running, isRunning)
  }
  // Whoever registers this id next does not inherit its tariff, or its configuration. What the charge point has reported is its actor's to remove.
  draft.clear(tariffAssignmentsTable, [charge_point_id])
  noteAllRevoked(draft, chargePoint, services.clock.now())
  draft.clear(configurationOverridesTable, [charge_point_id])
  draft.clear(ocpiPlacesTable, ['charge_point', charge_point_id])
  announcePlace(draft, organization_id, placeOf(chargePoint), `removal-${version}`, services)
  const { clock } = services
  const wakeUps = [removalWakeUp(charge_point_id, version, clock)]
  // One that begins at this moment is not seen here: whether there is anything of it is the actor's to find out.
  if (isInstalled(chargePoint))
    wakeUps.push(
      isUnclaimed(chargePoint)
        ? removedWakeUp(charge_point_id, chargePoint.installed, clock)
        : lookWakeUp(charge_point_id, clock),
    )
  draft.add({ changes: wakeUps.map((wakeUp) => putRow(wakeUpsTable, wakeUp)) })
  if (isInstalled(chargePoint) && isUnclaimed(chargePoint)) {
    // Nobody can read them any more.
    const { index, group } = issuesOf(charge_point_id, chargePoint.installed)
    for (const issue of draft.view.listBy(commissioningIssuesTable, index, group))
      draft.clear(commissioningIssuesTable, commissioningIssuesTable.key(issue))
  }
  announceRegistration(draft, charge_point_id)
  publishRemoved(draft, chargePoint, services)
}
