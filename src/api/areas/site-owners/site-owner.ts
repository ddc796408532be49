// What a site owner does: tells who they are and where payments go, hands in documents, says that everything is there, and looks at
// their projects. The key says who it is.

import { Type } from 'typebox'
import { chargePointsTable } from '../../../records/charge-point.js'
import { documentTypes, pendingSteps, type SiteOwnerDocument } from '../../../records/site-owner.js'
import { conflict, type ErrorDetail, notFound } from '../../../runtime/errors.js'
import { notBlank, patternOf } from '../../../runtime/fault-words.js'
import { defineList } from '../../pipeline/list-route.js'
import { pageOf } from '../../pipeline/paging.js'
import { defineRoute } from '../../pipeline/route.js'
import { country, secret } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import { onboardingIncomplete } from './errors.js'
import { readIban } from './iban.js'
import { limits } from './limits.js'
import {
  amendSiteOwner,
  bankDetailsSchema,
  bankDetailsView,
  changeSiteOwner,
  documentSchema,
  documentView,
  onboardingFields,
  onboardingView,
  siteOwnerOf,
  siteOwnerSchema,
  siteOwnerView,
} from './site-owners.js'

const tags = ['Site owners']
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, ...notBlank })
const again = 'What was submitted or approved before has to be submitted and approved again.'

const getOnboardingStatus = defineRoute({
  method: 'GET',
  path: '/api/v1/site-owner/onboarding/status',
  operationId: 'getOnboardingStatus',
  summary: 'Read how far the onboarding is',
  tags,
  surface: operator,
  scopes: ['read:organisations'],
  responses: { 200: Type.Object(onboardingFields) },
  errors: [notFound],
  sheddable: 'never',
  handle: ({ principal }, services) => ({
    status: 200,
    body: onboardingView(siteOwnerOf(services.view(), principal)),
  }),
})

const completeOnboarding = defineRoute({
  method: 'POST',
  path: '/api/v1/site-owner/onboarding/complete',
  operationId: 'completeOnboarding',
  summary: 'Say that everything is there',
  description:
    'The organization then approves it, or sends it back. While a step is pending, 409 `onboarding_incomplete` lists it in `details`.',
  tags,
  surface: operator,
  scopes: ['write:organisations'],
  responses: { 200: Type.Object(onboardingFields) },
  errors: [notFound, onboardingIncomplete, conflict],
  sheddable: 'never',
  handle({ principal }, services) {
    const before = siteOwnerOf(services.view(), principal)
    const details = pendingSteps(before)
      .filter((step) => step !== 'approval')
      .map((step): ErrorDetail => ({ path: `/${step}`, message: 'is missing' }))
    if (details.length > 0) throw onboardingIncomplete('not everything is there yet', { details })
    if (before.submitted_at !== undefined) return { status: 200, body: onboardingView(before) }
    const { rejection: _, ...rest } = before
    const submitted = { ...rest, submitted_at: formatTimestamp(services.clock.now()) }
    const { row, ...change } = changeSiteOwner(before, submitted, services)
    return { status: 200, body: onboardingView(row), ...change }
  },
})

const getProfile = defineRoute({
  method: 'GET',
  path: '/api/v1/site-owner/profile',
  operationId: 'getSiteOwnerProfile',
  summary: 'Read the own profile',
  tags,
  surface: operator,
  scopes: ['read:organisations'],
  responses: { 200: siteOwnerSchema },
  errors: [notFound],
  sheddable: 'never',
  handle: ({ principal }, services) => ({ status: 200, body: siteOwnerView(siteOwnerOf(services.view(), principal)) }),
})

const replaceProfile = defineRoute({
  method: 'PUT',
  path: '/api/v1/site-owner/profile',
  operationId: 'replaceSiteOwnerProfile',
  summary: 'Say who the site owner is',
  description: again,
  tags,
  surface: operator,
  scopes: ['write:organisations'],
  body: Type.Object({
    name: text(200),
    company_name: Type.Optional(text(200)),
    phone: Type.Optional(
      Type.String({
        ...patternOf(
          '^\\+?[0-9 ()./-]{4,40}$',
          'a phone number of 4 to 40 digits, spaces and ( ) . / -, after a + if there is one',
        ),
      }),
    ),
    street: text(200),
    postal_code: text(20),
    city: text(100),
    country: country(),
    tax_number: Type.Optional(text(50)),
  }),
  responses: { 200: siteOwnerSchema },
  errors: [notFound, conflict],
  sheddable: 'never',
  examples: {
    person: {
      name: 'Anna Example',
      street: 'Station Street 1',
      postal_code: '1012 AB',
      city: 'Amsterdam',
      country: 'NL',
    },
  },
  handle({ principal, body }, services) {
    const { name, company_name, phone, street, postal_code, city, country, tax_number } = body
    const profile = {
      name,
      ...(company_name !== undefined && { company_name }),
      ...(phone !== undefined && { phone }),
      street,
      postal_code,
      city,
      country,
      ...(tax_number !== undefined && { tax_number }),
    }
    const before = siteOwnerOf(services.view(), principal)
    const { row, ...change } = amendSiteOwner(before, { profile }, services)
    return { status: 200, body: siteOwnerView(row), ...change }
  },
})

const replaceBankDetails = defineRoute({
  method: 'PUT',
  path: '/api/v1/site-owner/onboarding/bank-details',
  operationId: 'replaceBankDetails',
  summary: 'Say which account payments go to',
  description: `The country, the length and the check digits of the IBAN are checked. It is shown masked from then on. ${again}`,
  tags,
  surface: operator,
  scopes: ['write:organisations'],
  body: Type.Object({
    account_holder: text(200),
    iban: Type.String({ ...secret, maxLength: 50, description: 'with or without blanks' }),
    bic: Type.Optional(
      Type.String({
        ...patternOf(
          '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$',
          'a BIC: 8 or 11 capital letters and digits, the first 6 of them letters',
        ),
      }),
    ),
  }),
  responses: { 200: bankDetailsSchema },
  errors: [notFound, conflict],
  sheddable: 'never',
  examples: { account: { account_holder: 'Anna Example', iban: 'NL91 ABNA 0417 1643 00' } },
  handle({ principal, body }, services) {
    const { account_holder, bic } = body
    const iban = readIban(body.iban)
    if (iban === undefined) throw invalid([{ path: '/iban', message: 'is not a valid IBAN' }])
    const before = siteOwnerOf(services.view(), principal)
    const bank_details = { account_holder, iban, ...(bic !== undefined && { bic }) }
    const { row, ...change } = amendSiteOwner(before, { bank_details }, services)
    return { status: 200, body: bankDetailsView(row), ...change }
  },
})

function urlFaults(text: string): ErrorDetail[] {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return []
  return [{ path: '/url', message: 'must be an https URL without user and password' }]
}

const addDocument = defineRoute({
  method: 'POST',
  path: '/api/v1/site-owner/onboarding/documents',
  operationId: 'addSiteOwnerDocument',
  summary: 'Hand in a document, by the address of its file',
  description: `The service keeps the address and never fetches the file; \`sha256\` says which file it was. ${again}`,
  tags,
  surface: operator,
  scopes: ['write:organisations'],
  body: Type.Object({
    type: Type.Enum([...documentTypes]),
    name: text(200),
    url: Type.String({ maxLength: 2_000, description: 'https' }),
    sha256: Type.Optional(Type.String({ ...patternOf('^[0-9a-fA-F]{64}$', '64 hexadecimal digits') })),
  }),
  responses: { 201: documentSchema },
  errors: [notFound, conflict],
  sheddable: 'never',
  examples: {
    deed: { type: 'proof_of_ownership', name: 'Land register.pdf', url: 'https://files.example.com/land-register.pdf' },
  },
  handle({ principal, body }, services) {
    const faults = urlFaults(body.url)
    if (faults.length > 0) throw invalid(faults)
    const before = siteOwnerOf(services.view(), principal)
    if (before.documents.length >= limits.documentsPerSiteOwner)
      throw conflict(`a site owner has at most ${limits.documentsPerSiteOwner} documents`)
    const document: SiteOwnerDocument = {
      document_id: services.newId('doc'),
      type: body.type,
      name: body.name,
      url: body.url,
      ...(body.sha256 !== undefined && { sha256: body.sha256.toLowerCase() }),
      created_at: formatTimestamp(services.clock.now()),
    }
    const { row: _, ...change } = amendSiteOwner(before, { documents: [...before.documents, document] }, services)
    return { status: 201, body: documentView(document), ...change }
  },
})

const removeDocument = defineRoute({
  method: 'DELETE',
  path: '/api/v1/site-owner/onboarding/documents/{document_id}',
  operationId: 'removeSiteOwnerDocument',
  summary: 'Take a document back',
  description: again,
  tags,
  surface: operator,
  scopes: ['write:organisations'],
  params: Type.Object({ document_id: Type.String({ maxLength: 64 }) }),
  responses: { 204: null },
  errors: [notFound, conflict],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const before = siteOwnerOf(services.view(), principal)
    const documents = before.documents.filter(({ document_id }) => document_id !== params.document_id)
    if (documents.length === before.documents.length) throw notFound('there is no such document')
    const { row: _, ...change } = amendSiteOwner(before, { documents }, services)
    return { status: 204, ...change }
  },
})

const listProjects = defineList({
  surface: operator,
  path: '/api/v1/site-owner/projects',
  operationId: 'listProjects',
  summary: 'List the projects of the site owner',
  tags,
  scopes: ['read:organisations'],
  row: Type.Object({
    id: Type.String(),
    name: Type.String(),
    charge_point_count: Type.Integer({ minimum: 0 }),
    status: Type.Enum(['onboarding', 'active'], { description: 'active once the onboarding is complete' }),
  }),
  perPage: 100,
  maximum: 200,
  errors: [notFound],
  read({ principal, query }, services) {
    const view = services.view()
    const { organization_id, projects, approved_at } = siteOwnerOf(view, principal)
    const rows = pageOf(projects, query).map(({ project_id, name }) => ({
      id: project_id,
      name,
      charge_point_count: view.total(chargePointsTable, 'bySite', [organization_id, project_id]),
      status: approved_at === undefined ? ('onboarding' as const) : ('active' as const),
    }))
    return { rows, total: projects.length }
  },
})

export const siteOwnerRoutes = [
  getOnboardingStatus,
  completeOnboarding,
  getProfile,
  replaceProfile,
  replaceBankDetails,
  addDocument,
  removeDocument,
  listProjects,
]
