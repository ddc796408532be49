// What routes of installers change of a charge point: the installer's part of its row.

import {
  chargePointsTable,
  type Installed,
  type InstalledChargePoint,
  isUnclaimed,
} from '../../../records/charge-point.js'
import { isHandedOver } from '../../../records/installer-status.js'
import type { Draft, Fields } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { chargePointClaimed } from './errors.js'

/** Throws `charge_point_claimed`: for what an installer may do only until an organization has the charge point. */
export function requireUnclaimed(chargePoint: InstalledChargePoint): void {
  if (isUnclaimed(chargePoint)) return
  const { charge_point_id: chargePointId } = chargePoint
  throw chargePointClaimed('an organization has claimed the charge point, and alone may change it now', {
    chargePointId,
  })
}

/** Throws `charge_point_claimed`: for what an installer may know until the handover is complete. */
export function requireNotHandedOver(chargePoint: InstalledChargePoint): void {
  if (!isHandedOver(chargePoint)) return
  const { charge_point_id: chargePointId } = chargePoint
  throw chargePointClaimed('the charge point is handed over: ask the organization that has it', { chargePointId })
}

/** Throws `charge_point_claimed`: for what an installer may do until it has commissioned the charge point, or its organization has ended that. */
export function requireNotEnded({ charge_point_id: chargePointId, installed }: InstalledChargePoint): void {
  if (installed.ended_at === undefined) return
  throw chargePointClaimed(
    'the organization that has claimed the charge point has ended your part of its installation',
    {
      chargePointId,
    },
  )
}

/** Stores the charge point, which the draft holds, with these fields of its installer changed; those that are undefined are removed. */
export function changeInstalled(
  draft: Draft,
  before: InstalledChargePoint,
  fields: Partial<Fields<Installed>>,
  services: Pick<Services, 'clock'>,
): InstalledChargePoint {
  const changed = Object.entries({ ...before.installed, ...fields }).filter(([, value]) => value !== undefined)
  const installed = Object.fromEntries(changed) as unknown as Installed
  const updated_at = formatTimestamp(services.clock.now())
  return draft.put(chargePointsTable, { ...before, installed, updated_at }) as InstalledChargePoint
}

/** The configuration of the charge point was downloaded, customized or applied; the first time counts. */
export function noteConfigured(
  draft: Draft,
  before: InstalledChargePoint,
  services: Pick<Services, 'clock'>,
): InstalledChargePoint {
  if (before.installed.configured_at !== undefined) return before
  return changeInstalled(draft, before, { configured_at: formatTimestamp(services.clock.now()) }, services)
}
