// An issue has been put right: closed by the organization that has claimed the charge point, or by its installer before the claim.

import { Type } from 'typebox'
import type { InstalledChargePoint } from '../../../records/charge-point.js'
import { isInstalled } from '../../../records/charge-point.js'
import { isOfRegistration } from '../../../records/commissioning.js'
import {
  type CommissioningIssue,
  commissioningIssuesTable,
  type IssueCloser,
} from '../../../records/commissioning-issue.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import type { Draft } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { area as chargePointArea, chargePoints } from '../charge-points/area.js'
import { installerChargePoints } from '../installer-charge-points/area.js'
import { requireUnclaimed } from '../installer-charge-points/change-installed.js'
import { chargePointClaimed } from '../installer-charge-points/errors.js'
import { area } from './area.js'
import { issueClosed } from './errors.js'
import { issueSchema, issueView } from './issues.js'

const params = { issue_id: Type.String({ maxLength: 64 }) }

/** Throws `not_found` and `issue_closed`. */
function close(
  draft: Draft,
  { charge_point_id: chargePointId, installed }: InstalledChargePoint,
  issueId: string,
  closed_by: IssueCloser,
  services: Pick<Services, 'clock'>,
) {
  const issue = draft.get(commissioningIssuesTable, [issueId])
  if (issue?.charge_point_id !== chargePointId || !isOfRegistration(issue, installed))
    throw notFound('there is no such issue of the charge point', { chargePointId })
  if (issue.status === 'closed') throw issueClosed('the issue is closed already', { chargePointId })
  const closed_at = formatTimestamp(services.clock.now())
  return issueView(
    draft.put<CommissioningIssue>(commissioningIssuesTable, { ...issue, status: 'closed', closed_at, closed_by }),
  )
}

const closeOwn = area.post('/{charge_point_id}/issues/{issue_id}/close', {
  operationId: 'closeCommissioningIssue',
  summary: 'Close an issue that you have reported',
  description: 'It has been put right. Once an organization has claimed the charge point, it alone closes its issues.',
  of: installerChargePoints,
  params,
  answer: issueSchema,
  errors: [issueClosed, chargePointClaimed, conflict],
  change({ row, params: { issue_id } }, draft, services) {
    requireUnclaimed(row)
    return close(draft, row, issue_id, 'installer', services)
  },
})

const closeOfChargePoint = chargePointArea.post(
  '/chargepoints/{charge_point_id}/commissioning/issues/{issue_id}/close',
  {
    operationId: 'closeChargePointIssue',
    summary: 'Close an issue that the installer of a charge point has reported',
    description:
      'It has been put right: it no longer counts as open, and the report of the commissioning shows it as closed.',
    of: chargePoints,
    params,
    answer: issueSchema,
    errors: [issueClosed, conflict],
    change({ row, params: { issue_id } }, draft, services) {
      if (!isInstalled(row))
        throw notFound('no installer has registered the charge point', { chargePointId: row.charge_point_id })
      return close(draft, row, issue_id, 'organization', services)
    },
  },
)

export const closeIssueRoutes = [closeOwn, closeOfChargePoint]
