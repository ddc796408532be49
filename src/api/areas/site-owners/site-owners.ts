// Site owners as they see themselves and as the organization that invited them does, and how their rows change.

import { isDeepStrictEqual } from 'node:util'
import { type TProperties, Type } from 'typebox'
import {
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
import { putRow, unchanged } from '../../pipeline/changes.js'
import type { Answer, Concerned } from '../../pipeline/route.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import type { Principal } from '../../surfaces/principal.js'
import { maskIban } from './iban.js'

/** The one that the caller's key acts for. Throws `not_found`. */
export function siteOwnerOf(view: ReadView, { key }: Principal): SiteOwner {
  const bound = view.get(siteOwnerKeysTable, [key.key_id])
  const row = bound === undefined ? undefined : view.get(siteOwnersTable, [bound.site_owner_id])
  if (row !== undefined) return row
  throw notFound('this key acts for no site owner: accept an invitation with it')
}

/** Of the caller's organization. Throws `not_found`. */
export function invitedSiteOwner(view: ReadView, { organization }: Principal, siteOwnerId: string): SiteOwner {
  const row = view.get(siteOwnersTable, [siteOwnerId])
  if (row?.organization_id === organization.organization_id) return row
  throw notFound('there is no such site owner')
}

type ChangedSiteOwner = { readonly row: SiteOwner } & Pick<Required<Answer>, 'changes' | 'conditions' | 'concerns'>

function concernedBy({ organization_id, site_owner_id }: SiteOwner): Concerned {
  return { organizationId: organization_id, resources: { site_owner_id } }
}

/** The next version of a row, with what it takes to commit it. */
export function changeSiteOwner(before: SiteOwner, after: SiteOwner, services: Services): ChangedSiteOwner {
  const row = { ...after, version: before.version + 1, updated_at: formatTimestamp(services.clock.now()) }
  return {
    row,
    changes: [putRow(siteOwnersTable, row)],
    conditions: [{ condition: unchanged(siteOwnersTable, [row.site_owner_id], before) }],
    concerns: concernedBy(row),
  }
}

/** What the organization looks at is what it approves: anything new has to be submitted and approved again. */
export function amendSiteOwner(
  before: SiteOwner,
  part: Partial<Pick<SiteOwner, 'profile' | 'bank_details' | 'documents'>>,
  services: Services,
): ChangedSiteOwner {
  const { submitted_at: _, approved_at: __, ...open } = before
  const same = Object.entries(part).every(([name, value]) => isDeepStrictEqual(before[name as keyof SiteOwner], value))
  if (same) return { row: before, changes: [], conditions: [], concerns: concernedBy(before) }
  return changeSiteOwner(before, { ...open, ...part }, services)
}

const steps = () => Type.Array(Type.Enum([...onboardingSteps]))

export const onboardingFields = {
  stage: Type.Enum([...onboardingStages]),
  completed_steps: steps(),
  pending_steps: steps(),
  submitted_at: nullable(timestamp('when the site owner said that everything is there')),
  approved_at: nullable(timestamp()),
  rejection_reason: nullable(Type.String({ description: 'why the organization has sent it back' })),
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
  iban: Type.String({ description: 'masked, but for the last four characters' }),
  bic: nullable(Type.String()),
})

export function bankDetailsView({ bank_details: details }: SiteOwner) {
  if (details === undefined) return null
  const { account_holder, iban, bic } = details
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
  name: Type.String({ description: "as the invitation had it, until the site owner's own" }),
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
  organization_id: Type.String({ description: 'that invited them' }),
  email: Type.String(),
  ...profileFields,
  bank_details: nullable(bankDetailsSchema),
  documents: Type.Array(documentSchema),
  ...onboardingFields,
  created_at: timestamp(),
  updated_at: timestamp(),
})

export function siteOwnerView(row: SiteOwner) {
  const { site_owner_id, organization_id, email, invited_name, profile, documents, created_at, updated_at } = row
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
    bank_details: bankDetailsView(row),
    documents: documents.map(documentView),
    ...onboardingView(row),
    created_at,
    updated_at,
  }
}
