// What a site owner does: says who they are and where payments go, submits documents, completes the onboarding, and looks at their
// projects. The key says who it is.

import { Type } from 'typebox'
import { chargePointsTable } from '../../../records/charge-point.js'
import { documentTypes, pendingSteps, type SiteOwnerDocument } from '../../../records/site-owner.js'
import { conflict, type ErrorDetail, notFound } from '../../../runtime/errors.js'
import { filledLine, patternOf } from '../../../runtime/fault-words.js'
import { documentUrlFaults } from '../../pipeline/document-url.js'
import { pageOf } from '../../pipeline/paging.js'
import { country, secret } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { area } from './area.js'
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

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, ...filledLine })
const again = 'Anything that was submitted or approved before must be submitted and approved again.'

const getOnboardingStatus = area.get('/site-owner/onboarding/status', {
  operationId: 'getOnboardingStatus',
  summary: 'Get the status of the onboarding',
  answer: Type.Object(onboardingFields),
  errors: [notFound],
  read: ({ principal }, services) => onboardingView(siteOwnerOf(principal, services.view())),
})

const completeOnboarding = area.post('/site-owner/onboarding/complete', {
  operationId: 'completeOnboarding',
  summary: 'Complete the onboarding',
  description:
    'The organization then approves the onboarding or sends it back. While a step is pending, the answer is 409 `onboarding_incomplete`, and its ' +
    '`details` list the pending steps.',
  answer: Type.Object(onboardingFields),
  errors: [notFound, onboardingIncomplete, conflict],
  change({ principal }, draft, services) {
    const before = siteOwnerOf(principal, draft.view, draft)
    const details = pendingSteps(before)
      .filter((step) => step !== 'approval')
      .map((step): ErrorDetail => ({ path: `/${step}`, message: 'is missing' }))
    if (details.length > 0) throw onboardingIncomplete('the onboarding is not complete yet', { details })
    if (before.submitted_at !== undefined) return onboardingView(before)
    const submitted_at = formatTimestamp(services.clock.now())
    return onboardingView(changeSiteOwner(draft, { ...before, submitted_at, rejection: undefined }, services))
  },
})

const getProfile = area.get('/site-owner/profile', {
  operationId: 'getSiteOwnerProfile',
  summary: 'Get your profile as a site owner',
  answer: siteOwnerSchema,
  errors: [notFound],
  read: ({ principal }, services) => siteOwnerView(siteOwnerOf(principal, services.view())),
})

const replaceProfile = area.put('/site-owner/profile', {
  operationId: 'replaceSiteOwnerProfile',
  summary: 'Replace your profile as a site owner',
  description: again,
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
  answer: siteOwnerSchema,
  errors: [notFound, conflict],
  examples: {
    person: {
      name: 'Anna Example',
      street: 'Station Street 1',
      postal_code: '1012 AB',
      city: 'Amsterdam',
      country: 'NL',
    },
  },
  change({ principal, body }, draft, services) {
    const before = siteOwnerOf(principal, draft.view, draft)
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
    return siteOwnerView(amendSiteOwner(draft, before, { profile }, services))
  },
})

const replaceBankDetails = area.put('/site-owner/onboarding/bank-details', {
  operationId: 'replaceBankDetails',
  summary: 'Replace your bank details as a site owner',
  description: `Payments go to this account. The country, the length and the check digits of the IBAN are checked. Answers show it masked. ${again}`,
  body: Type.Object({
    account_holder: text(200),
    iban: Type.String({ ...secret, maxLength: 50, description: 'The IBAN, with or without spaces.' }),
    bic: Type.Optional(
      Type.String({
        ...patternOf(
          '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$',
          'a BIC: 8 or 11 capital letters and digits, the first 6 of them letters',
        ),
      }),
    ),
  }),
  answer: bankDetailsSchema,
  errors: [notFound, conflict],
  examples: { account: { account_holder: 'Anna Example', iban: 'NL91 ABNA 0417 1643 00' } },
  change({ principal, body }, draft, services) {
    const { account_holder, bic } = body
    const iban = readIban(body.iban)
    if (iban === undefined) throw invalid([{ path: '/iban', message: 'is not a valid IBAN' }])
    const before = siteOwnerOf(principal, draft.view, draft)
    const bank_details = { account_holder, iban, ...(bic !== undefined && { bic }) }
    amendSiteOwner(draft, before, { bank_details }, services)
    return bankDetailsView(bank_details)
  },
})

const addDocument = area.post('/site-owner/onboarding/documents', {
  operationId: 'addSiteOwnerDocument',
  summary: 'Submit a document by the URL of its file',
  description: `The service stores the URL and never fetches the file; \`sha256\` identifies the file. ${again}`,
  body: Type.Object({
    type: Type.Enum([...documentTypes]),
    name: text(200),
    url: Type.String({ maxLength: 2_000, description: 'An https URL.' }),
    sha256: Type.Optional(Type.String({ ...patternOf('^[0-9a-fA-F]{64}$', '64 hexadecimal digits') })),
  }),
  answer: documentSchema,
  status: 201,
  errors: [notFound, conflict],
  examples: {
    deed: { type: 'proof_of_ownership', name: 'Land register.pdf', url: 'https://files.example.com/land-register.pdf' },
  },
  change({ principal, body }, draft, services) {
    const faults = documentUrlFaults(body.url, '/url')
    if (faults.length > 0) throw invalid(faults)
    const before = siteOwnerOf(principal, draft.view, draft)
    if (before.documents.length >= limits.documentsPerSiteOwner)
      throw conflict(
        `a site owner has at most ${limits.documentsPerSiteOwner} documents: remove one before you add another`,
      )
    const document: SiteOwnerDocument = {
      document_id: services.newId('doc'),
      type: body.type,
      name: body.name,
      url: body.url,
      ...(body.sha256 !== undefined && { sha256: body.sha256.toLowerCase() }),
      created_at: formatTimestamp(services.clock.now()),
    }
    amendSiteOwner(draft, before, { documents: [...before.documents, document] }, services)
    return documentView(document)
  },
})

const removeDocument = area.delete('/site-owner/onboarding/documents/{document_id}', {
  operationId: 'removeSiteOwnerDocument',
  summary: 'Delete a document',
  description: again,
  params: { document_id: Type.String({ maxLength: 64 }) },
  answer: null,
  errors: [conflict],
  change({ principal, params }, draft, services) {
    const before = siteOwnerOf(principal, draft.view, draft)
    const documents = before.documents.filter(({ document_id }) => document_id !== params.document_id)
    if (documents.length === before.documents.length) throw notFound('there is no such document')
    amendSiteOwner(draft, before, { documents }, services)
    return undefined
  },
})

const listProjects = area.list('/site-owner/projects', {
  operationId: 'listProjects',
  summary: 'List the projects of the site owner',
  row: Type.Object({
    id: Type.String(),
    name: Type.String(),
    charge_point_count: Type.Integer({ minimum: 0 }),
    status: Type.Enum(['onboarding', 'active'], { description: '`active` once the onboarding is complete.' }),
  }),
  perPage: 100,
  maximum: 200,
  errors: [notFound],
  read({ principal, query }, services) {
    const view = services.view()
    const { organization_id, projects, approved_at } = siteOwnerOf(principal, view)
    const rows = pageOf(projects, query).map(({ project_id, name }) => ({
      id: project_id,
      name,
      charge_point_count: view.total(chargePointsTable, 'bySite', [organization_id, project_id]),
      status: approved_at === undefined ? ('onboarding' as const) : ('active' as const),
    }))
    return { rows, total: projects.length }
  },
})

export const onboardingRoutes = [
  getOnboardingStatus,
  completeOnboarding,
  getProfile,
  replaceProfile,
  replaceBankDetails,
  addDocument,
  removeDocument,
  listProjects,
]
