// Who an installer is: documents that they submit, and what the operator of the installation has decided about them.

import { type Static, Type } from 'typebox'
import {
  documentTypes,
  type Installer,
  identityDocumentsTable,
  verificationStatuses,
  verificationStatusOf,
} from '../../../records/installer.js'
import { conflict, type ErrorDetail } from '../../../runtime/errors.js'
import { patternOf } from '../../../runtime/fault-words.js'
import { documentUrlFaults } from '../../pipeline/document-url.js'
import { nullable, secret, timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { acceptedTerms } from '../../surfaces/installer-requirements.js'
import { area } from './area.js'
import { changeOwn } from './profile.js'

export const verificationFields = {
  identity_verified: Type.Boolean(),
  verification_submitted_at: nullable(timestamp()),
  verification_status: Type.Enum([...verificationStatuses]),
  rejection_reason: nullable(Type.String({ description: 'In the words of the operator of the installation.' })),
}

export function verificationView(row: Installer) {
  const status = verificationStatusOf(row)
  return {
    identity_verified: status === 'approved',
    verification_submitted_at: row.verification?.submitted_at ?? null,
    verification_status: status,
    rejection_reason: row.verification?.reason ?? null,
  }
}

const documentUrl = (description: string) => Type.String({ ...secret, maxLength: 2_000, description })

const documents = Type.Object({
  document_type: Type.Enum([...documentTypes]),
  document_number: Type.String({
    ...secret,
    ...patternOf('^[\\p{L}\\p{N}][\\p{L}\\p{N} ./-]{2,49}$', '3 to 50 letters, digits, spaces and . / -'),
  }),
  document_expiry: Type.String({
    ...patternOf('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 'a date, such as 2030-12-31'),
    description: 'The last day on which the document is valid.',
  }),
  selfie_url: documentUrl('An https URL. The service stores it and never fetches it, as the other two.'),
  document_front_url: documentUrl('An https URL.'),
  document_back_url: Type.Optional(
    documentUrl('An https URL; required for `drivers_license` and `national_id`, which have two sides.'),
  ),
})

function faultsOf(body: Static<typeof documents>, now: number): ErrorDetail[] {
  const { document_type, document_expiry, selfie_url, document_front_url, document_back_url } = body
  const endsAt = endOfDay(document_expiry)
  const expiry = (message: string): ErrorDetail[] => [{ path: '/document_expiry', message }]
  return [
    ...(endsAt === undefined
      ? expiry('must be a date of the calendar')
      : endsAt <= now
        ? expiry('must be in the future: the document has expired')
        : []),
    ...documentUrlFaults(selfie_url, '/selfie_url'),
    ...documentUrlFaults(document_front_url, '/document_front_url'),
    ...(document_back_url === undefined ? [] : documentUrlFaults(document_back_url, '/document_back_url')),
    ...(document_back_url === undefined && document_type !== 'passport'
      ? [{ path: '/document_back_url', message: `is required for ${document_type}` }]
      : []),
  ]
}

/** Ms; undefined for the 30th of February. */
function endOfDay(date: string): number | undefined {
  const start = Date.parse(`${date}T00:00:00Z`)
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== date) return undefined
  return start + 24 * 3_600_000
}

const getVerificationStatus = area.get('/verification-status', {
  operationId: 'getInstallerVerification',
  summary: 'Get the status of your identity verification',
  answer: Type.Object({ installer_id: Type.String(), ...verificationFields }),
  read: ({ principal: { installer } }) => ({ installer_id: installer.installer_id, ...verificationView(installer) }),
})

const verifyIdentity = area.post('/verify-identity', {
  operationId: 'submitInstallerIdentity',
  summary: 'Submit documents that prove your identity',
  description:
    'The operator of the installation reviews them. Until then, another submission replaces the first; once the identity has been approved, the ' +
    'answer is 409 `conflict`. Accept the terms first (403 `terms_required`).',
  requires: [acceptedTerms],
  body: documents,
  answer: Type.Object({
    message: Type.String(),
    verification_status: Type.Literal('under_review'),
    submitted_at: timestamp(),
  }),
  status: 202,
  errors: [conflict],
  examples: {
    passport: {
      document_type: 'passport',
      document_number: 'NX1234567',
      document_expiry: '2035-12-31',
      selfie_url: 'https://files.example.com/selfie.jpg',
      document_front_url: 'https://files.example.com/passport.jpg',
    },
  },
  change({ principal, body }, draft, services) {
    const now = services.clock.now()
    const faults = faultsOf(body, now)
    if (faults.length > 0) throw invalid(faults)
    const { installer } = principal
    if (verificationStatusOf(installer) === 'approved') throw conflict('your identity has been verified')
    const submitted_at = formatTimestamp(now)
    const { installer_id } = changeOwn(
      draft,
      principal,
      { verification: { status: 'under_review', submitted_at } },
      services,
    )
    draft.get(identityDocumentsTable, [installer_id])
    draft.put(identityDocumentsTable, { ...body, installer_id, submitted_at })
    return {
      message: 'The documents have been received and will be reviewed.',
      verification_status: 'under_review' as const,
      submitted_at,
    }
  },
})

export const identityRoutes = [getVerificationStatus, verifyIdentity]
