// Site owners as the organization that invited them has them: listed, read, approved or sent back.

import { Type } from 'typebox'
import { onboardingStages, type SiteOwner, siteOwnersTable } from '../../../records/site-owner.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { notBlank } from '../../../runtime/fault-words.js'
import type { Change } from '../../../runtime/store/store.js'
import { forbidden } from '../../pipeline/errors.js'
import { defineList } from '../../pipeline/list-route.js'
import { mailChanges } from '../../pipeline/mail.js'
import { readPage } from '../../pipeline/paging.js'
import { defineRoute } from '../../pipeline/route.js'
import { nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import type { Principal } from '../../surfaces/principal.js'
import {
  changeSiteOwner,
  invitedSiteOwner,
  onboardingFields,
  onboardingView,
  siteOwnerSchema,
  siteOwnerView,
} from './site-owners.js'

const tags = ['Site owners']
const siteOwnerParams = Type.Object({ site_owner_id: Type.String({ maxLength: 64 }) })

const listSiteOwners = defineList({
  surface: operator,
  path: '/api/v1/site-owners',
  operationId: 'listSiteOwners',
  summary: 'List the site owners of the own organization',
  tags,
  scopes: ['read:organisations'],
  filters: { stage: Type.Optional(Type.Enum([...onboardingStages])) },
  row: siteOwnerSchema,
  perPage: 50,
  maximum: 200,
  read({ principal, query }, services) {
    const { organization_id } = principal.organization
    const list =
      query.stage === undefined
        ? { index: 'byOrganization', group: [organization_id] }
        : { index: 'byStage', group: [organization_id, query.stage] }
    const { rows, total } = readPage({ view: services.view(), table: siteOwnersTable, list, query })
    return { rows: rows.map(siteOwnerView), total }
  },
})

const getSiteOwner = defineRoute({
  method: 'GET',
  path: '/api/v1/site-owners/{site_owner_id}',
  operationId: 'getSiteOwner',
  summary: 'Read a site owner',
  tags,
  surface: operator,
  scopes: ['read:organisations'],
  params: siteOwnerParams,
  responses: { 200: siteOwnerSchema },
  errors: [notFound],
  sheddable: 'never',
  handle: ({ principal, params }, services) => ({
    status: 200,
    body: siteOwnerView(invitedSiteOwner(services.view(), principal, params.site_owner_id)),
  }),
})

const getBankDetails = defineRoute({
  method: 'GET',
  path: '/api/v1/site-owners/{site_owner_id}/bank-details',
  operationId: 'getSiteOwnerBankDetails',
  summary: 'Read the account of a site owner in full, to pay to it',
  tags,
  surface: operator,
  scopes: ['write:billing'],
  params: siteOwnerParams,
  responses: {
    200: Type.Object({ account_holder: Type.String(), iban: Type.String(), bic: nullable(Type.String()) }),
  },
  errors: [notFound],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const { bank_details: details } = invitedSiteOwner(services.view(), principal, params.site_owner_id)
    if (details === undefined) throw notFound('this site owner has given no account')
    return { status: 200, body: { ...details, bic: details.bic ?? null } }
  },
})

function reasonOf({ reason }: { readonly reason?: string }): string {
  if (reason === undefined) throw invalid([{ path: '/reason', message: 'is required to send it back' }])
  return reason
}

/** To the address that was invited: it is the one that is known to be theirs. */
function sentBackMail(
  { email, invited_name, profile }: SiteOwner,
  reason: string,
  { organization: { organization_id: organizationId, name: organizationName } }: Principal,
  services: Services,
): readonly Change[] {
  const name = profile?.name ?? invited_name
  const content = { type: 'site-owner-sent-back', organizationName, name, reason } as const
  return mailChanges({ organizationId, to: email, content }, services).changes
}

const decideOnboarding = defineRoute({
  method: 'POST',
  path: '/api/v1/site-owners/{site_owner_id}/approval',
  operationId: 'decideSiteOwnerOnboarding',
  summary: 'Approve what a site owner has submitted, or send it back',
  description:
    '`submitted_at` is that of what was looked at: when the site owner has changed something since, it is 409 `conflict`. The key ' +
    'that acts for the site owner cannot approve them.',
  tags,
  surface: operator,
  scopes: ['write:organisations'],
  params: siteOwnerParams,
  body: Type.Object({
    approved: Type.Boolean(),
    submitted_at: timestamp(),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        ...notBlank,
        description: 'Why it is sent back: the site owner reads it in a mail and in the onboarding status.',
      }),
    ),
  }),
  responses: { 200: Type.Object({ site_owner_id: Type.String(), ...onboardingFields }) },
  errors: [notFound, forbidden, conflict],
  sheddable: 'never',
  examples: {
    approve: { approved: true, submitted_at: '2026-11-20T10:00:00.000Z' },
    'send back': {
      approved: false,
      submitted_at: '2026-11-20T10:00:00.000Z',
      reason: 'The land register is of another year.',
    },
  },
  handle({ principal, params, body }, services) {
    const before = invitedSiteOwner(services.view(), principal, params.site_owner_id)
    if (before.key_id === principal.key.key_id)
      throw forbidden('the key that acts for a site owner does not approve them')
    if (before.submitted_at === undefined || Date.parse(before.submitted_at) !== parseTimestamp(body.submitted_at))
      throw conflict('the site owner has not submitted this, or has changed it since: look again')
    const now = formatTimestamp(services.clock.now())
    const { submitted_at, approved_at: _, rejection: __, ...open } = before
    const decided = body.approved
      ? { ...open, submitted_at, approved_at: now }
      : { ...open, rejection: { reason: reasonOf(body), at: now } }
    const { row, changes, ...change } = changeSiteOwner(before, decided, services)
    const told = row.rejection === undefined ? [] : sentBackMail(row, row.rejection.reason, principal, services)
    return {
      status: 200,
      body: { site_owner_id: row.site_owner_id, ...onboardingView(row) },
      ...change,
      changes: [...changes, ...told],
    }
  },
})

export const siteOwnersRoutes = [listSiteOwners, getSiteOwner, getBankDetails, decideOnboarding]
