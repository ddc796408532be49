// A charge point is declared commissioned, which an installer does once; together with the claim, that completes the handover.

import { Type } from 'typebox'
import { type InstalledChargePoint, isOwnedBy } from '../../../records/charge-point.js'
import { configurationApplicationsTable, isDelivered } from '../../../records/configuration.js'
import { installerStatus, installerStatuses } from '../../../records/installer-status.js'
import { timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { verifiedIdentity } from '../../surfaces/installer-requirements.js'
import { stateOf } from '../charge-points/charge-points.js'
import { endInstallation } from '../charge-points/claim.js'
import { openIssueFields, openIssuesIn } from '../charge-points/handover.js'
import { area, installerChargePoints } from './area.js'
import { changeInstalled, requireNotEnded } from './change-installed.js'
import {
  alreadyCommissioned,
  chargePointClaimed,
  configurationIncomplete,
  installersNotConnected,
  notConnected,
} from './errors.js'

/** Whoever has applied it: a commissioning, its installer or its organization. */
function isApplied(row: InstalledChargePoint, services: Services): boolean {
  const application = services.view().get(configurationApplicationsTable, [row.charge_point_id])
  return application !== undefined && isOwnedBy(row, application.organization_id) && isDelivered(application)
}

const commission = area.post('/{charge_point_id}/commission', {
  operationId: 'commissionInstallerChargePoint',
  summary: 'Commission a charge point',
  description:
    'The charge point has to be connected, and its configuration delivered: downloaded, customized or applied. An organization may have claimed it meanwhile; ' +
    'the handover is complete then. A commissioning that runs, or is paused, is stopped. The answer has the issues of the charge point that are open.',
  of: installerChargePoints,
  requires: [verifiedIdentity],
  answer: Type.Object({
    charge_point_id: Type.String(),
    status: Type.Enum([...installerStatuses]),
    commissioned_at: timestamp(),
    message: Type.String(),
    ...openIssueFields,
  }),
  errors: [notConnected, configurationIncomplete, chargePointClaimed, alreadyCommissioned],
  change({ row }, draft, services) {
    const { charge_point_id, installed } = row
    const extras = { chargePointId: charge_point_id }
    if (installed.commissioned_at !== undefined)
      throw alreadyCommissioned(`the charge point was commissioned at ${installed.commissioned_at}`, extras)
    requireNotEnded(row)
    if (installerStatus(row, stateOf(services.view(), row), services.presence.live) !== 'connected')
      throw installersNotConnected(charge_point_id)
    if (installed.configured_at === undefined && !isApplied(row, services))
      throw configurationIncomplete('download or customize the configuration of the charge point first', extras)
    const commissioned_at = formatTimestamp(services.clock.now())
    const commissioned = changeInstalled(draft, row, { commissioned_at }, services)
    endInstallation(draft, commissioned, services)
    return {
      charge_point_id,
      status: 'commissioned',
      commissioned_at,
      message: 'The charge point is commissioned.',
      ...openIssuesIn(draft.view, commissioned),
    }
  },
})

export const commissionRoutes = [commission]
