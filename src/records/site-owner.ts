// A site owner: somebody on whose ground an organization has charge points, and how far they are with what the organization has to know
// of them. Written by the API under its version.

import { defineTable } from '../runtime/store/table.js'

/** In the order in which they are asked for; the last is the organization's. */
export const onboardingSteps = ['profile', 'bank_details', 'documents', 'approval'] as const
export type OnboardingStep = (typeof onboardingSteps)[number]

export const onboardingStages = [
  'profile_pending',
  'bank_details_pending',
  'documents_pending',
  'approval_pending',
  'complete',
] as const
export type OnboardingStage = (typeof onboardingStages)[number]

export const documentTypes = ['identity', 'proof_of_ownership', 'bank_statement', 'contract', 'other'] as const

export interface SiteOwnerProfile {
  readonly name: string
  readonly company_name?: string
  readonly phone?: string
  readonly street: string
  readonly postal_code: string
  readonly city: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly tax_number?: string
}

export interface BankDetails {
  readonly account_holder: string
  /** Without blanks. */
  readonly iban: string
  readonly bic?: string
}

/** Where a document is, not what is in it: the service never fetches it. */
export interface SiteOwnerDocument {
  readonly document_id: string
  readonly type: (typeof documentTypes)[number]
  readonly name: string
  readonly url: string
  /** Of the file, in hex. */
  readonly sha256?: string
  readonly created_at: string
}

/** A site that they are invited for: the `site_id` of its charge points, and what it is called. */
export interface Project {
  readonly project_id: string
  readonly name: string
}

export interface SiteOwner {
  readonly site_owner_id: string
  /** That invited them. */
  readonly organization_id: string
  readonly version: number
  readonly email: string
  /** As the invitation had it. */
  readonly invited_name: string
  /** The API key that acts for them; it may be of another organization. */
  readonly key_id: string
  /** The sites that their invitations named. */
  readonly projects: readonly Project[]
  readonly profile?: SiteOwnerProfile
  readonly bank_details?: BankDetails
  readonly documents: readonly SiteOwnerDocument[]
  /** When they said that everything is there; absent again once something of it has changed. */
  readonly submitted_at?: string
  readonly approved_at?: string
  readonly rejection?: { readonly reason: string; readonly at: string }
  readonly created_at: string
  readonly updated_at: string
}

function isDone(row: SiteOwner, step: OnboardingStep): boolean {
  switch (step) {
    case 'profile':
      return row.profile !== undefined
    case 'bank_details':
      return row.bank_details !== undefined
    case 'documents':
      return row.documents.length > 0
    case 'approval':
      return row.approved_at !== undefined
  }
}

export function pendingSteps(row: SiteOwner): OnboardingStep[] {
  return onboardingSteps.filter((step) => !isDone(row, step))
}

export function stageOf(row: SiteOwner): OnboardingStage {
  const [next] = pendingSteps(row)
  return next === undefined ? 'complete' : `${next}_pending`
}

export const siteOwnersTable = defineTable<SiteOwner>({
  name: 'site_owners',
  key: (row) => [row.site_owner_id],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byStage: (row) => [{ group: [row.organization_id, stageOf(row)] }],
    byEmail: (row) => [{ group: [row.organization_id, row.email.toLowerCase()] }],
  },
  uncounted: ['byEmail'],
})

/** For whom a key acts: for one site owner at most. */
export interface SiteOwnerKey {
  readonly key_id: string
  readonly site_owner_id: string
}

export const siteOwnerKeysTable = defineTable<SiteOwnerKey>({
  name: 'site_owner_keys',
  key: (row) => [row.key_id],
})
