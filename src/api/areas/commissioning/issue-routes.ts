// What an installer reports of a charge point, for whoever has to put it right.

import { Type } from 'typebox'
import { stepNames } from '../../../records/commissioning.js'
import {
  type CommissioningIssue,
  commissioningIssuesTable,
  issueCategories,
  issueSeverities,
  issuesOf,
} from '../../../records/commissioning-issue.js'
import { theInstallation } from '../../../records/document-number.js'
import { conflict } from '../../../runtime/errors.js'
import { filledLines, line } from '../../../runtime/fault-words.js'
import { documentUrlFaults } from '../../pipeline/document-url.js'
import type { Draft } from '../../pipeline/draft.js'
import { nextNumber } from '../../pipeline/next-number.js'
import { readPage } from '../../pipeline/paging.js'
import { secret } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { installerChargePoints } from '../installer-charge-points/area.js'
import { requireNotHandedOver } from '../installer-charge-points/change-installed.js'
import { chargePointClaimed } from '../installer-charge-points/errors.js'
import { area } from './area.js'
import { newestOf } from './found.js'
import { issueSchema, issueView } from './issues.js'
import { limits } from './limits.js'

const reportIssue = area.post('/{charge_point_id}/report-issue', {
  operationId: 'reportCommissioningIssue',
  summary: 'Report an issue with a charge point',
  description:
    'At any time until the handover is complete, before a commissioning too. The organization that claims the charge point sees the issue with the commissioning.',
  of: installerChargePoints,
  body: Type.Object({
    category: Type.Enum([...issueCategories]),
    severity: Type.Enum([...issueSeverities]),
    description: Type.String({
      minLength: 20,
      maxLength: limits.descriptionLength,
      ...filledLines,
      description: 'What is wrong, in at least 20 characters.',
    }),
    step: Type.Optional(Type.Enum([...stepNames], { description: 'The step at which it was found.' })),
    photo_urls: Type.Optional(
      Type.Array(Type.String({ maxLength: limits.photoUrlLength, ...line }), {
        ...secret,
        maxItems: limits.photos,
        description: 'https URLs. The service stores them and never fetches them.',
      }),
    ),
  }),
  answer: issueSchema,
  status: 201,
  errors: [chargePointClaimed],
  examples: {
    cable: {
      category: 'site_issue',
      severity: 'high',
      description: 'The supply cable is protected with 16 A instead of 32 A.',
      step: 'test_transaction',
      photo_urls: ['https://files.example.com/breaker.jpg'],
    },
  },
  change({ row, body }, draft, services) {
    requireNotHandedOver(row)
    const { photo_urls = [], step, category, severity, description } = body
    const faults = photo_urls.flatMap((url, index) => documentUrlFaults(url, `/photo_urls/${index}`))
    if (faults.length > 0) throw invalid(faults)
    const { charge_point_id, installed } = row
    const { installer_id, registered_at } = installed
    requireRoom(draft, charge_point_id, installed)
    const created_at = formatTimestamp(services.clock.now())
    const stored = draft.put<CommissioningIssue>(commissioningIssuesTable, {
      issue_id: services.newId('iss'),
      reference_number: `ISS-${created_at.slice(0, 4)}-${nextNumber(draft, theInstallation, 'issue')}`,
      charge_point_id,
      installer_id,
      registered_at,
      session_id: newestOf(draft.view, row)?.session_id,
      step,
      category,
      severity,
      description,
      photo_urls,
      status: 'open',
      created_at,
    })
    return issueView(stored)
  },
})

/** Throws `conflict`. */
function requireRoom(draft: Draft, chargePointId: string, installed: Parameters<typeof issuesOf>[1]): void {
  const bounds = [
    [issuesOf(chargePointId, installed), limits.issuesOfChargePoint, 'a charge point has'],
    [{ index: 'byInstaller', group: [installed.installer_id] }, limits.issuesOfInstaller, 'an installer reports'],
    [{ index: 'all', group: [] }, limits.issuesInAll, 'an installation keeps'],
  ] as const
  for (const [list, most, whose] of bounds)
    draft.requireRoom(
      commissioningIssuesTable,
      list,
      most,
      conflict(`${whose} at most ${most} issues in two years`, { chargePointId }),
    )
}

const listIssues = area.list('/{charge_point_id}/issues', {
  operationId: 'listCommissioningIssues',
  summary: 'List the issues that you have reported of a charge point, the newest first',
  of: installerChargePoints,
  name: 'issues',
  row: issueSchema,
  perPage: limits.issuesOfChargePoint,
  maximum: limits.issuesOfChargePoint,
  read({ row: { charge_point_id, installed }, query }, services) {
    const list = issuesOf(charge_point_id, installed)
    const view = services.view()
    const { rows, total } = readPage({ view, table: commissioningIssuesTable, list, query, newestFirst: true })
    return { rows: rows.map(issueView), total }
  },
})

export const issueRoutes = [reportIssue, listIssues]
