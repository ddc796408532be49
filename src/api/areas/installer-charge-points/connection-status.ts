// How a charge point is connected, or why it is not, for as long as it is the installer's matter.

import type { InstalledChargePoint } from '../../../records/charge-point.js'
import { type Asked, connectionStatus, connectionStatusOf } from '../diagnosis/connection-status.js'
import { area, installerChargePoints } from './area.js'
import { requireNotHandedOver } from './change-installed.js'
import { chargePointClaimed } from './errors.js'

/** Throws `charge_point_claimed` once the handover is complete. The organization that has claimed it may be the one that its newer attempts are listed for. */
export function askedByInstaller(chargePoint: InstalledChargePoint, remoteAddress: string): Asked {
  const { organization_id, installed } = chargePoint
  requireNotHandedOver(chargePoint)
  const owners = new Set([installed.installer_id, organization_id])
  return {
    chargePoint,
    asker: { owners, seesAll: false, isInstaller: true, remoteAddress },
    reader: installed.installer_id,
  }
}

const getConnectionStatus = area.get('/{charge_point_id}/connection-status', {
  operationId: 'getInstallerConnectionStatus',
  summary: 'Show how a charge point is connected, or why it is not',
  description:
    'Says in plain words why a charge point does not come online, also before it has connected for the first time: lists the refused connections of ' +
    'the last 24 hours that could be of this charge point, each with its cause and what to do about it.',
  of: installerChargePoints,
  errors: [chargePointClaimed],
  answer: connectionStatus,
  read: ({ row, remoteAddress }, services) => connectionStatusOf(askedByInstaller(row, remoteAddress), services),
})

export const connectionStatusRoutes = [getConnectionStatus]
