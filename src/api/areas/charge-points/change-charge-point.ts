// A changed registration, and the message about it to the charge point's actor.

import { chargePointAddress } from '../../../actors/charge-point/messages.js'
import { type ChargePoint, chargePointsTable } from '../../../records/charge-point.js'
import type { Draft, Fields } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { announceMoved } from './announce-place.js'
import { publishChanged } from './publish.js'

/** Has the charge point's actor look at the registration once the commit is on disk. */
export function announceRegistration(draft: Draft, chargePointId: string): void {
  draft.tell({ to: chargePointAddress(chargePointId), message: { type: 'registration-changed' } })
}

/** Stores the charge point, which the draft has read, with these fields changed; those that are undefined are removed. */
export function changeChargePoint(
  draft: Draft,
  before: ChargePoint,
  fields: Partial<Fields<ChargePoint>>,
  services: Pick<Services, 'clock'>,
): ChargePoint {
  const updated_at = formatTimestamp(services.clock.now())
  const stored = draft.put(chargePointsTable, { ...before, ...fields, updated_at })
  announceRegistration(draft, before.charge_point_id)
  announceMoved(draft, before, stored, services)
  publishChanged(draft, before, stored, services)
  return stored
}
