// An issue that an installer has reported of a charge point: a defect, a cable that is missing, a network that does not hold. Written by the API.

import { timeOfId } from '../runtime/ids.js'
import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'
import type { Installed, InstalledChargePoint } from './charge-point.js'
import { keptCommissioningMs, type StepName } from './commissioning.js'

export const issueCategories = [
  'hardware_defect',
  'network_problem',
  'configuration_error',
  'site_issue',
  'other',
] as const
export type IssueCategory = (typeof issueCategories)[number]

/** The least first. */
export const issueSeverities = ['low', 'medium', 'high', 'critical'] as const
export type IssueSeverity = (typeof issueSeverities)[number]

export const issueStatuses = ['open', 'closed'] as const
export type IssueStatus = (typeof issueStatuses)[number]

/** The installer before the claim, the organization after it. */
export const issueClosers = ['installer', 'organization'] as const
export type IssueCloser = (typeof issueClosers)[number]

export interface CommissioningIssue {
  readonly issue_id: string
  readonly version: number
  /** `ISS-2026-000123`: unique in the installation, for people to speak of it. */
  readonly reference_number: string
  readonly charge_point_id: string
  readonly installer_id: string
  /** Of the registration that it is about: one that is made anew under the id is another. */
  readonly registered_at: string
  /** The newest commissioning when it was reported; absent where none had been started. */
  readonly session_id?: string
  readonly step?: StepName
  readonly category: IssueCategory
  readonly severity: IssueSeverity
  readonly description: string
  /** Stored, and never fetched. */
  readonly photo_urls: readonly string[]
  readonly status: IssueStatus
  readonly created_at: string
  /** Absent while it is open, as is who has closed it. */
  readonly closed_at?: string
  readonly closed_by?: IssueCloser
}

export const commissioningIssuesTable = defineTable<CommissioningIssue>({
  name: 'commissioning_issues',
  key: (row) => [row.issue_id],
  indexes: {
    byRegistration: (row) => [{ group: registrationGroup(row.charge_point_id, row), order: [row.issue_id] }],
    byInstaller: (row) => [{ group: [row.installer_id] }],
    all: () => [{ group: [] }],
  },
  retention: { timeOf: (row) => timeOfId(row.issue_id), milliseconds: keptCommissioningMs },
})

function registrationGroup(
  chargePointId: string,
  { installer_id, registered_at }: Pick<Installed, 'installer_id' | 'registered_at'>,
): readonly [string, string, string] {
  return [chargePointId, installer_id, registered_at]
}

/** Those of the charge point as it is registered now. */
export function issuesOf(charge_point_id: string, installed: Pick<Installed, 'installer_id' | 'registered_at'>) {
  return { index: 'byRegistration', group: registrationGroup(charge_point_id, installed) }
}

/** Those that nobody has put right, the most severe first, and the newest of these. */
export function openIssuesOf(
  view: ReadView,
  { charge_point_id, installed }: InstalledChargePoint,
): readonly CommissioningIssue[] {
  const { index, group } = issuesOf(charge_point_id, installed)
  const rank = ({ severity }: CommissioningIssue): number => issueSeverities.indexOf(severity)
  return view
    .listBy(commissioningIssuesTable, index, group, { reverse: true })
    .filter(({ status }) => status === 'open')
    .sort((one, other) => rank(other) - rank(one))
}
