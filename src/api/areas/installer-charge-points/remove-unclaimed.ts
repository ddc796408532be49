// A charge point that no organization has claimed is deleted: by its installer, or by the operator of the installation.

import { chargePointsTable, type InstalledChargePoint } from '../../../records/charge-point.js'
import { isOnline } from '../../../records/presence.js'
import { conflict } from '../../../runtime/errors.js'
import type { Draft } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'
import { stateOf } from '../charge-points/charge-points.js'
import { removeAlong } from '../charge-points/removal.js'
import { requireUnclaimed } from './change-installed.js'

export const whatIsRemoved =
  'Only while it is offline and has no running session. Its sessions and commands are kept. The certificates that were issued for it are no longer accepted.'

/** `row` is held by the draft. Throws `charge_point_claimed` and `conflict`. */
export function removeUnclaimed(
  draft: Draft,
  row: InstalledChargePoint,
  services: Pick<Services, 'clock' | 'view' | 'presence'>,
): void {
  requireUnclaimed(row)
  const extras = { chargePointId: row.charge_point_id }
  if (isOnline(stateOf(services.view(), row), services.presence.live))
    throw conflict('the charge point is connected: only one that is offline can be deleted', extras)
  removeAlong(draft, row, conflict('the charge point has a running session', extras), services)
  draft.remove(chargePointsTable, [row.charge_point_id])
}
