// Site owners as the organization that invited them has them: listed, read, approved or sent back.

import { Type } from 'typebox'
import { rateLimited } from '../../../actors/command-router/errors.js'
import { onboardingStages, type SiteOwner, siteOwnerKeysTable } from '../../../records/site-owner.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { filledLines } from '../../../runtime/fault-words.js'
import type { Draft } from '../../pipeline/draft.js'
import { forbidden } from '../../pipeline/errors.js'
import { sendMail } from '../../pipeline/mail.js'
import { recordRoutes } from '../../pipeline/record-routes.js'
import { nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import type { Principal } from '../../surfaces/principal.js'
import { area, siteOwners } from './area.js'
import { changeSiteOwner, onboardingFields, onboardingView, siteOwnerSchema, siteOwnerView } from './site-owners.js'

const routes = recordRoutes(area, siteOwners, { path: '/site-owners', schema: siteOwnerSchema, show: siteOwnerView })

const listSiteOwners = routes.list({
  operationId: 'listSiteOwners',
  summary: 'List the site owners of your organization',
  filters: {
    stage: Type.Optional(
      Type.Enum([...onboardingStages], { description: 'Returns only site owners at this stage of the onboarding.' }),
    ),
  },
  indexes: { stage: 'byStage' },
})

const getSiteOwner = routes.get({ operationId: 'getSiteOwner', summary: 'Get a site owner' })

const deleteSiteOwner = routes.remove({
  operationId: 'deleteSiteOwner',
  summary: 'Delete a site owner',
  description:
    'Deletes the profile, the bank details and the documents with it. The key that acts for the site owner stays, and acts for nobody from then on.',
  along: ({ key_id }, draft) => draft.clear(siteOwnerKeysTable, [key_id]),
})

const getBankDetails = area.get('/site-owners/{site_owner_id}/bank-details', {
  operationId: 'getSiteOwnerBankDetails',
  summary: 'Get the bank details of a site owner in full, for a payment',
  of: siteOwners,
  scopes: ['write:billing'],
  answer: Type.Object({ account_holder: Type.String(), iban: Type.String(), bic: nullable(Type.String()) }),
  read({ row: { bank_details: details } }) {
    if (details === undefined) throw notFound('this site owner has not given any bank details')
    return { ...details, bic: details.bic ?? null }
  },
})

function reasonOf({ reason }: { readonly reason?: string }): string {
  if (reason === undefined)
    throw invalid([{ path: '/reason', message: 'is required when the onboarding is sent back' }])
  return reason
}

/** To the address that was invited: it is the one that is known to be theirs. */
function sendBackMail(
  draft: Draft,
  { email, invited_name, profile }: SiteOwner,
  reason: string,
  { organization: { organization_id: organizationId, name: organizationName } }: Principal,
  services: Services,
): void {
  const name = profile?.name ?? invited_name
  const content = { type: 'site-owner-sent-back', organizationName, name, reason } as const
  sendMail(draft, { organizationId, to: email, content }, services)
}

const decideOnboarding = area.post('/site-owners/{site_owner_id}/approval', {
  operationId: 'decideSiteOwnerOnboarding',
  summary: 'Approve what a site owner has submitted, or send it back',
  description:
    '`submitted_at` is the time of the submission that was reviewed: if the site owner has changed something since, the answer is 409 ' +
    '`conflict`. The key that acts for the site owner cannot approve them.',
  of: siteOwners,
  body: Type.Object({
    approved: Type.Boolean(),
    submitted_at: timestamp(),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        ...filledLines,
        description: 'Why it is sent back: the site owner reads it in a mail and in the onboarding status.',
      }),
    ),
  }),
  answer: Type.Object({ site_owner_id: Type.String(), ...onboardingFields }),
  errors: [forbidden, rateLimited],
  examples: {
    approve: { approved: true, submitted_at: '2026-11-20T10:00:00.000Z' },
    'send back': {
      approved: false,
      submitted_at: '2026-11-20T10:00:00.000Z',
      reason: 'The land register is of another year.',
    },
  },
  change({ row: before, principal, body }, draft, services) {
    if (before.key_id === principal.key?.key_id)
      throw forbidden('the key that acts for a site owner cannot approve them')
    if (before.submitted_at === undefined || Date.parse(before.submitted_at) !== parseTimestamp(body.submitted_at))
      throw conflict('the site owner has not submitted this, or has changed it since: read it again')
    const now = formatTimestamp(services.clock.now())
    const decision = body.approved
      ? { approved_at: now, rejection: undefined }
      : { approved_at: undefined, rejection: { reason: reasonOf(body), at: now }, submitted_at: undefined }
    const row = changeSiteOwner(draft, { ...before, ...decision }, services)
    if (row.rejection !== undefined) sendBackMail(draft, row, row.rejection.reason, principal, services)
    return { site_owner_id: row.site_owner_id, ...onboardingView(row) }
  },
})

export const siteOwnerRoutes = [listSiteOwners, getSiteOwner, deleteSiteOwner, getBankDetails, decideOnboarding]
