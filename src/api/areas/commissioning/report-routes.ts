// The report of a commissioning as a PDF, for the installer and for the organization that has claimed the charge point.

import { Type } from 'typebox'
import { type InstalledChargePoint, isInstalled } from '../../../records/charge-point.js'
import { overloaded } from '../../../runtime/errors.js'
import { printPdf } from '../../pipeline/print-pdf.js'
import type { Answer } from '../../pipeline/route.js'
import type { Services } from '../../pipeline/services.js'
import { area as chargePointArea, chargePoints } from '../charge-points/area.js'
import { installerChargePoints } from '../installer-charge-points/area.js'
import { area } from './area.js'
import { commissioningNotEnded, commissioningNotStarted } from './errors.js'
import { requireNewest, requireSession } from './found.js'
import { isEnded, reportOf } from './report.js'

const query = Type.Object({
  session_id: Type.Optional(Type.String({ maxLength: 64, description: 'The newest, unless it is given.' })),
})

const errors = [commissioningNotStarted, commissioningNotEnded, overloaded]

const description =
  'A paper that installer and operator sign: what was tested, when and by whom, the result and the evidence of each step, the versions of the charge point, its ' +
  'client certificate, the configuration keys that differ from what was wanted, and the energy and duration of the test transaction.'

/** `owner`: whose turn it takes to be printed. */
function print(
  chargePoint: InstalledChargePoint,
  sessionId: string | undefined,
  owner: string,
  services: Services,
): Promise<Answer> {
  const { charge_point_id: chargePointId } = chargePoint
  const session =
    sessionId === undefined ? requireNewest(chargePoint, services) : requireSession(chargePoint, sessionId, services)
  if (!isEnded(session))
    throw commissioningNotEnded('the commissioning of the charge point has not ended yet', { chargePointId })
  const report = reportOf(services.view(), { session, chargePoint, owner, now: services.clock.now() })
  return printPdf('commissioning-report-pdf', report, `commissioning-${session.session_id}`, services)
}

const getReport = area.route({
  method: 'GET',
  path: '/{charge_point_id}/report',
  operationId: 'getCommissioningReport',
  summary: 'Get the report of a commissioning as a PDF',
  description,
  of: installerChargePoints,
  query,
  responses: { 200: 'application/pdf' },
  errors,
  sheddable: 'list',
  handle: ({ row, query: { session_id } }, services) => print(row, session_id, row.installed.installer_id, services),
})

const getOperatorReport = chargePointArea.route({
  method: 'GET',
  path: '/chargepoints/{charge_point_id}/commissioning/report',
  operationId: 'getChargePointCommissioningReport',
  summary: 'Get the report of the commissioning of a charge point as a PDF',
  description,
  of: chargePoints,
  query,
  responses: { 200: 'application/pdf' },
  errors,
  sheddable: 'list',
  handle({ row, query: { session_id } }, services) {
    if (!isInstalled(row))
      throw commissioningNotStarted('no installer has registered the charge point', {
        chargePointId: row.charge_point_id,
      })
    return print(row, session_id, row.organization_id, services)
  },
})

export const reportRoutes = [getReport, getOperatorReport]
