// Charge points that an installer has registered and no organization has claimed, for the operator of the installation: they take up room that all
// installers share, also where their account is gone.

import {
  chargePointsTable,
  type InstalledChargePoint,
  isInstalled,
  isUnclaimed,
} from '../../../records/charge-point.js'
import { isInstallerId } from '../../../records/installer.js'
import { conflict, notFound, overloaded } from '../../../runtime/errors.js'
import { readPage } from '../../pipeline/paging.js'
import { showingOf } from '../../pipeline/record-routes.js'
import { chargePointId } from '../../pipeline/schemas.js'
import { listedSchema, listedView } from '../installer-charge-points/installer-charge-points.js'
import { removeUnclaimed, whatIsRemoved } from '../installer-charge-points/remove-unclaimed.js'
import { area, installerParams } from './area.js'

const path = '/{installer_id}/charge-points'

/** An organization's own are not to be seen by its id. Throws `not_found`. */
function requireInstallerId(id: string): void {
  if (!isInstallerId(id)) throw notFound('there is no such installer')
}

const listUnclaimed = area.list(path, {
  operationId: 'listUnclaimedChargePoints',
  summary: 'List the charge points of an installer that no organization has claimed',
  description:
    'The list goes by the id of the installer, also where the account has been deleted: what is left of it is removed within the hour, except what is connected. ' +
    'Charge points that no organization has claimed are also removed when they have not been connected for 30 days.',
  params: installerParams,
  name: 'charge_points',
  row: listedSchema,
  perPage: 50,
  maximum: 200,
  read({ params: { installer_id }, query }, services) {
    requireInstallerId(installer_id)
    const showing = showingOf(services)
    const list = { index: 'byOrganization', group: [installer_id] }
    const { rows, total } = readPage({ view: showing.view, table: chargePointsTable, list, query })
    return { rows: rows.map((row) => listedView(row as InstalledChargePoint, showing)), total }
  },
})

const deleteUnclaimed = area.route({
  method: 'DELETE',
  path: `${path}/{charge_point_id}`,
  operationId: 'deleteUnclaimedChargePoint',
  summary: 'Delete a charge point of an installer that no organization has claimed',
  description: whatIsRemoved,
  params: { ...installerParams, charge_point_id: chargePointId() },
  responses: { 204: null },
  errors: [notFound, conflict, overloaded],
  async handle({ params: { installer_id, charge_point_id } }, services) {
    requireInstallerId(installer_id)
    await removeUnclaimed((draft) => {
      const row = draft.get(chargePointsTable, [charge_point_id])
      if (row === undefined || !isInstalled(row) || !isUnclaimed(row) || row.organization_id !== installer_id)
        throw notFound('the installer has no such charge point', { chargePointId: charge_point_id })
      return row
    }, services)
    return { status: 204 }
  },
})

export const unclaimedRoutes = [listUnclaimed, deleteUnclaimed]
