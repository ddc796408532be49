// Site owners as they see themselves and as the organization that invited them does, and how their rows change.

import { isDeepStrictEqual } from 'node:util'
import { type TProperties, Type } from 'typebox'
import {
  type BankDetails,
  documentTypes,
  onboardingStages,
  onboardingSteps,
  pendingSteps,
  type SiteOwner,
  siteOwnerKeysTable,
  siteOwnersTable,
  stageOf,
} from '../../../records/site-owner.js'
import { notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Draft, Fields, RowReader } from '../../pipeline/draft.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import type { Principal } from '../../surfaces/principal.js'
import { maskIban } from './iban.js'

/** The one that the caller's key acts for, held where `rows` is a draft: binding another key changes the row. Throws `not_found`. */
export function siteOwnerOf({ key }: Principal, view: ReadView, rows: RowReader = view): SiteOwner {
  const bound = key && view.get(siteOwnerKeysTable, [key.key_id])
  const row = bound === undefined ? undefined : rows.get(siteOwnersTable, [bound.site_owner_id])
  if (row !== undefined) return row
  throw notFound('this key does not act for a site owner: accept an invitation with it')
}

function concern(draft: Draft, { organization_id, site_owner_id }: SiteOwner): void {
  draft.concern({ organizationId: organization_id, resources: { site_owner_id } })
}

/** The next version of a row that the draft holds. */
export function changeSiteOwner(draft: Draft, after: Fields<SiteOwner>, services: Services): SiteOwner {
  const row = draft.put(siteOwnersTable, { ...after, updated_at: formatTimestamp(services.clock.now()) })
  concern(draft, row)
  return row
}

/** What the organization looks at is what it approves: anything new has to be submitted and approved again. */
export function amendSiteOwner(
  draft: Draft,
  before: SiteOwner,
  part: Partial<Pick<SiteOwner, 'profile' | 'bank_details' | 'documents'>>,
  services: Services,
): SiteOwner {
  const same = Object.entries(part).every(([name, value]) => isDeepStrictEqual(before[name as keyof SiteOwner], value))
  if (!same)
    return changeSiteOwner(draft, { ...before, ...part, submitted_at: undefined, approved_at: undefined }, services)
  concern(draft, before)
  return before
}

const steps = () => Type.Array(Type.Enum([...onboardingSteps]))

export const onboardingFields = {
  stage: Type.Enum([...onboardingStages]),
  completed_steps: steps(),
  pending_steps: steps(),
  submitted_at: nullable(timestamp('When the site owner submitted everything.')),
  approved_at: nullable(timestamp()),
  rejection_reason: nullable(Type.String({ description: 'Why the organization has sent the onboarding back.' })),
}

export function onboardingView(row: SiteOwner) {
  const pending = pendingSteps(row)
  return {
    stage: stageOf(row),
    completed_steps: onboardingSteps.filter((step) => !pending.includes(step)),
    pending_steps: pending,
    submitted_at: row.submitted_at ?? null,
    approved_at: row.approved_at ?? null,
    rejection_reason: row.rejection?.reason ?? null,
  }
}

export const bankDetailsSchema = named('BankDetails', {
  account_holder: Type.String(),
  iban: Type.String({ description: 'Masked except for the last four characters.' }),
  bic: nullable(Type.String()),
})

export function bankDetailsView({ account_holder, iban, bic }: BankDetails) {
  return { account_holder, iban: maskIban(iban), bic: bic ?? null }
}

export const documentSchema = named('SiteOwnerDocument', {
  document_id: Type.String(),
  type: Type.Enum([...documentTypes]),
  name: Type.String(),
  url: Type.String(),
  sha256: nullable(Type.String()),
  created_at: timestamp(),
})

export function documentView(document: SiteOwner['documents'][number]) {
  return { ...document, sha256: document.sha256 ?? null }
}

const profileFields = {
  name: Type.String({ description: 'The name in the invitation, until the site owner sets a profile.' }),
  company_name: nullable(Type.String()),
  phone: nullable(Type.String()),
  street: nullable(Type.String()),
  postal_code: nullable(Type.String()),
  city: nullable(Type.String()),
  country: nullable(Type.String()),
  tax_number: nullable(Type.String()),
} satisfies TProperties

export const siteOwnerSchema = named('SiteOwner', {
  site_owner_id: Type.String(),
  organization_id: Type.String({ description: 'The organization that invited the site owner.' }),
  email: Type.String(),
  ...profileFields,
  bank_details: nullable(bankDetailsSchema),
  documents: Type.Array(documentSchema),
  ...onboardingFields,
  created_at: timestamp(),
  updated_at: timestamp(),
})

export function siteOwnerView(row: SiteOwner) {
  const {
    site_owner_id,
    organization_id,
    email,
    invited_name,
    profile,
    bank_details,
    documents,
    created_at,
    updated_at,
  } = row
  return {
    site_owner_id,
    organization_id,
    email,
    name: profile?.name ?? invited_name,
    company_name: profile?.company_name ?? null,
    phone: profile?.phone ?? null,
    street: profile?.street ?? null,
    postal_code: profile?.postal_code ?? null,
    city: profile?.city ?? null,
    country: profile?.country ?? null,
    tax_number: profile?.tax_number ?? null,
    bank_details: bank_details === undefined ? null : bankDetailsView(bank_details),
    documents: documents.map(documentView),
    ...onboardingView(row),
    created_at,
    updated_at,
  }
}
