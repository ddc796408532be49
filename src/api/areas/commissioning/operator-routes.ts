// What the organization that has claimed a charge point sees of its commissioning.

import { Type } from 'typebox'
import { isInstalled } from '../../../records/charge-point.js'
import { commissioningIssuesTable, issuesOf, openIssuesOf } from '../../../records/commissioning-issue.js'
import { nullable, timestamp } from '../../pipeline/schemas.js'
import { area, chargePoints } from '../charge-points/area.js'
import { openIssueFields } from '../charge-points/handover.js'
import { installedBy, installerNamed } from '../charge-points/installed-by.js'
import { newestOf } from './found.js'
import { issueSchema, issueView } from './issues.js'
import { limits } from './limits.js'
import { sessionSchema, sessionView } from './sessions.js'

const nothing = {
  installer: null,
  commissioned_at: null,
  ended_at: null,
  session: null,
  open_issue_count: 0,
  issues: [],
}

const getCommissioning = area.get('/chargepoints/{charge_point_id}/commissioning', {
  operationId: 'getChargePointCommissioning',
  summary: 'Show how a charge point was commissioned by its installer',
  description:
    'Shows by whom the charge point was installed, the newest commissioning, with the evidence of each step, and the issues that the installer has reported, the newest first. ' +
    'A charge point that no installer has registered has neither.',
  of: chargePoints,
  answer: Type.Object({
    charge_point_id: Type.String(),
    installer: installedBy,
    commissioned_at: nullable(timestamp('When the installer declared the charge point commissioned.')),
    ended_at: nullable(timestamp('When the organization ended the part of an installer that had not declared it.')),
    session: nullable(sessionSchema),
    open_issue_count: openIssueFields.open_issue_count,
    issues: Type.Array(issueSchema),
  }),
  read({ row }, services) {
    const { charge_point_id } = row
    if (!isInstalled(row)) return { charge_point_id, ...nothing }
    const view = services.view()
    const session = newestOf(view, row)
    const { index, group } = issuesOf(charge_point_id, row.installed)
    const newest = { reverse: true, limit: limits.issuesOfChargePoint }
    return {
      charge_point_id,
      installer: installerNamed(view, row.installed.installer_id),
      commissioned_at: row.installed.commissioned_at ?? null,
      ended_at: row.installed.ended_at ?? null,
      session: session === undefined ? null : sessionView(session),
      open_issue_count: openIssuesOf(view, row).length,
      issues: view.listBy(commissioningIssuesTable, index, group, newest).map(issueView),
    }
  },
})

export const operatorRoutes = [getCommissioning]
