// An organization ends what the installer of its charge point may do: whoever has registered an id first may be a stranger, who never
// declares the charge point commissioned.

import { chargePointsTable, type InstalledChargePoint, isInstalled } from '../../../records/charge-point.js'
import { isInstallationOver } from '../../../records/installer-status.js'
import { notFound } from '../../../runtime/errors.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { area, chargePoints } from './area.js'
import { endInstallation } from './claim.js'

const endInstallers = area.delete('/chargepoints/{charge_point_id}/installer', {
  operationId: 'endInstallation',
  summary: "End the installer's part of a charge point",
  description:
    'From now on, the installer who has registered the charge point can neither commission nor test it, and no longer sees how it is. A commissioning that runs, or is paused, is ' +
    'stopped, and so is its test transaction. The handover is complete. Once the charge point is commissioned, there is nothing left to end. Certificates that the installer has ' +
    'issued stay good: revoke those that you do not trust.',
  of: chargePoints,
  answer: null,
  change({ row }, draft, services) {
    if (!isInstalled(row))
      throw notFound('no installer has registered the charge point', { chargePointId: row.charge_point_id })
    if (isInstallationOver(row.installed)) return undefined
    const now = formatTimestamp(services.clock.now())
    const installed = { ...row.installed, ended_at: now }
    const stored = draft.put(chargePointsTable, { ...row, installed, updated_at: now })
    endInstallation(draft, stored as InstalledChargePoint, services)
    return undefined
  },
})

export const endInstallationRoutes = [endInstallers]
