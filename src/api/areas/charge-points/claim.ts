// An organization claims the charge point of an installer: the row changes hands in place, so that what was issued for the charge point and
// what it has said of itself stay. Both sides have their own part of the row.

import { claimWakeUp } from '../../../actors/charge-point/messages.js'
import { claimWakeUp as claimOfCommissioned, lookWakeUp } from '../../../actors/commissioning/messages.js'
import { handoverCompleted } from '../../../events/charge-point.js'
import { domainEvent } from '../../../events/define-event.js'
import {
  type ChargePoint,
  chargePointsTable,
  type InstalledChargePoint,
  isInstalled,
  isUnclaimed,
} from '../../../records/charge-point.js'
import { isHandedOver } from '../../../records/installer-status.js'
import { eventChange } from '../../../runtime/actor/outbox.js'
import { wakeUpsTable } from '../../../runtime/actor/wake-ups.js'
import { putRow } from '../../pipeline/changes.js'
import type { Draft } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'
import { changeChargePoint } from './change-charge-point.js'
import { idTaken, isSameName } from './names.js'
import { publishRegistered } from './publish.js'

/** What an organization says of its charge point. */
export type Registration = Pick<
  ChargePoint,
  'charge_point_id' | 'organization_id' | 'name' | 'latitude' | 'longitude' | 'address'
> & {
  readonly connector_count: number
  readonly max_power_kw: number
  readonly phases: ChargePoint['phases'] | undefined
  readonly phase_rotation: ChargePoint['phase_rotation'] | undefined
  readonly serial_number: string | undefined
}

/** An installer's that no organization has claimed, held by the draft. Its id has to be spelt as it is registered. */
export function findClaimable(draft: Draft, chargePointId: string): InstalledChargePoint | undefined {
  const found = draft.view.get(chargePointsTable, [chargePointId])
  if (found === undefined || !isUnclaimed(found)) return undefined
  const held = draft.get(chargePointsTable, [chargePointId])
  return held !== undefined && isInstalled(held) && isUnclaimed(held) ? held : undefined
}

/** Throws `charge_point_exists` where the serial number says that another charge point is meant. */
export function claim(
  draft: Draft,
  before: InstalledChargePoint,
  { charge_point_id, serial_number, ...said }: Registration,
  services: Pick<Services, 'clock'>,
): InstalledChargePoint {
  if (serial_number !== undefined && !isSameName(serial_number, before.installed.serial_number))
    throw idTaken(charge_point_id)
  const claimed = changeChargePoint(draft, before, said, services) as InstalledChargePoint
  const wakeUps = [claimWakeUp, claimOfCommissioned].map((of) => of(charge_point_id, claimed.version, services.clock))
  draft.add({ changes: wakeUps.map((wakeUp) => putRow(wakeUpsTable, wakeUp)) })
  publishRegistered(draft, claimed, services)
  publishHandover(draft, claimed, services)
  return claimed
}

/** After the change with which the installer's part is over: what is still being commissioned ends. */
export function endInstallation(
  draft: Draft,
  chargePoint: InstalledChargePoint,
  services: Pick<Services, 'clock'>,
): void {
  const look = lookWakeUp(chargePoint.charge_point_id, services.clock)
  draft.add({ changes: [putRow(wakeUpsTable, look)] })
  publishHandover(draft, chargePoint, services)
}

/** Publishes that the handover is complete, where this change of the row is the last that it took: the claim, or the end of the installation. */
function publishHandover(draft: Draft, chargePoint: InstalledChargePoint, { clock }: Pick<Services, 'clock'>): void {
  if (!isHandedOver(chargePoint)) return
  const { charge_point_id, organization_id } = chargePoint
  const about = { organizationId: organization_id, subject: charge_point_id }
  const data = { charge_point_id, completed_at: new Date(clock.now()).toISOString() }
  draft.add({ changes: [eventChange(domainEvent(handoverCompleted, about, data), clock.now())] })
}
