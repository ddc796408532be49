// How the API shows an issue.

import { type Static, Type } from 'typebox'
import { stepNames } from '../../../records/commissioning.js'
import {
  type CommissioningIssue,
  issueCategories,
  issueClosers,
  issueSeverities,
  issueStatuses,
} from '../../../records/commissioning-issue.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'

export const issueSchema = named('CommissioningIssue', {
  issue_id: Type.String({ examples: ['iss_01M7YW4E6G2T1X0Z8V7S5D6C4R'] }),
  reference_number: Type.String({
    examples: ['ISS-2026-000123'],
    description: 'Unique in the installation. The numbers go on over the years.',
  }),
  charge_point_id: Type.String(),
  category: Type.Enum([...issueCategories]),
  severity: Type.Enum([...issueSeverities]),
  status: Type.Enum([...issueStatuses]),
  step: nullable(Type.Enum([...stepNames])),
  session_id: nullable(
    Type.String({
      description: 'The newest commissioning when the issue was reported; null if none had been started.',
    }),
  ),
  description: Type.String(),
  photo_urls: Type.Array(Type.String()),
  created_at: timestamp(),
  closed_at: nullable(timestamp('null while it is open.')),
  closed_by: nullable(Type.Enum([...issueClosers])),
})

export function issueView(issue: CommissioningIssue): Static<typeof issueSchema> {
  const { installer_id: _, registered_at: __, version: ___, photo_urls, ...shown } = issue
  const { step = null, session_id = null, closed_at = null, closed_by = null } = issue
  return { ...shown, step, session_id, photo_urls: [...photo_urls], closed_at, closed_by }
}
