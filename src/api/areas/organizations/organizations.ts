// Organizations: made by the operator of the installation, read and changed by their own keys.

import { Type } from 'typebox'
import { apiKeysTable, scopes } from '../../../records/api-key.js'
import { legalDetails } from '../../../records/issuer.js'
import {
  defaultTimeZone,
  installationTable,
  type Organization,
  organizationsTable,
  plans,
  unknownCountry,
} from '../../../records/organization.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { putRow } from '../../pipeline/changes.js'
import { forbidden } from '../../pipeline/errors.js'
import { makeKey } from '../../pipeline/make-key.js'
import { defineRoute } from '../../pipeline/route.js'
import { country, emailAddress, nullable, timestamp } from '../../pipeline/schemas.js'
import type { ApiConfiguration } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { timezoneFaults, timezoneName } from '../../pipeline/timezone.js'
import { operator } from '../../surfaces/operator.js'
import { requestsPerHour } from '../../surfaces/plan-quota.js'
import type { Principal } from '../../surfaces/principal.js'

const fields = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  country: country(),
  contact_email: emailAddress(),
}

const legalText = (description: string) => nullable(Type.String({ minLength: 1, maxLength: 200, description }))

/** Null where they are not set. */
const legalFields = {
  legal_name: legalText('the name under which it is registered, printed in place of the name'),
  street: legalText('street and house number'),
  postal_code: legalText('postal code'),
  city: legalText('city'),
  vat_id: legalText('VAT identification number, such as NL001234567B01'),
  registration_number: legalText('number in the commercial register'),
}

const changedLegalFields = Type.Partial(Type.Object(legalFields)).properties

type ChangedLegalDetails = { readonly [Detail in (typeof legalDetails)[number]]?: string | null }

/** What is left out stays, null removes. */
function withLegalDetails(row: Organization, changed: ChangedLegalDetails): Organization {
  const before: ChangedLegalDetails = row
  const kept = Object.entries(row).filter(([name]) => !legalDetails.some((detail) => detail === name))
  const asked = legalDetails.flatMap((name) => {
    const value = changed[name] === undefined ? before[name] : changed[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return Object.fromEntries([...kept, ...asked])
}

export const organizationFields = {
  id: Type.String(),
  ...fields,
  country: Type.String({
    description: `ISO 3166-1 alpha-2; ${unknownCountry} while the organization has named no country`,
  }),
  ...legalFields,
  plan: Type.Enum([...plans]),
  requests_per_hour: nullable(
    Type.Integer({ description: 'the quota of each of its API keys; null where there is none' }),
  ),
  timezone: Type.String(),
  created_at: timestamp(),
}

export function organizationView(row: Organization, { enterpriseQuotaPerHour }: ApiConfiguration) {
  return {
    id: row.organization_id,
    name: row.name,
    country: row.country,
    contact_email: row.contact_email,
    legal_name: row.legal_name ?? null,
    street: row.street ?? null,
    postal_code: row.postal_code ?? null,
    city: row.city ?? null,
    vat_id: row.vat_id ?? null,
    registration_number: row.registration_number ?? null,
    plan: row.plan,
    requests_per_hour: requestsPerHour(row, enterpriseQuotaPerHour) ?? null,
    timezone: row.time_zone ?? defaultTimeZone,
    created_at: row.created_at,
  }
}

/** Whether the caller's organization is the one that operates the installation. */
export function operates({ organization }: Principal, view: ReadView): boolean {
  return view.get(installationTable, ['installation'])?.default_organization_id === organization.organization_id
}

/** A caller knows of no organization but its own. */
export function ownOrganization(principal: Principal, organizationId: string): Organization {
  if (principal.organization.organization_id === organizationId) return principal.organization
  throw notFound('there is no such organization')
}

const createOrganization = defineRoute({
  method: 'POST',
  path: '/api/v1/organizations',
  operationId: 'createOrganization',
  summary: 'Make an organization and its first API key',
  description:
    "For keys of the installation's own organization. The new organization's key has every scope and is shown once.",
  tags: ['Organizations'],
  surface: operator,
  scopes: ['write:organisations'],
  body: Type.Object({
    ...fields,
    ...changedLegalFields,
    plan: Type.Optional(Type.Enum([...plans], { default: 'free' })),
    timezone: Type.Optional(timezoneName()),
  }),
  responses: { 201: Type.Object({ ...organizationFields, api_key: Type.String() }) },
  errors: [forbidden],
  sheddable: 'never',
  secret: true,
  examples: {
    operator: {
      name: 'Example Charging',
      country: 'NL',
      contact_email: 'operations@example.com',
      timezone: 'Europe/Amsterdam',
    },
  },
  handle({ principal, body }, services) {
    if (!operates(principal, services.view()))
      throw forbidden("only the installation's own organization makes organizations")
    const faults = timezoneFaults(body.timezone)
    if (faults.length > 0) throw invalid(faults)
    const time = services.clock.now()
    const now = formatTimestamp(time)
    const made: Organization = {
      organization_id: services.newId('org'),
      version: 1,
      name: body.name,
      country: body.country,
      contact_email: body.contact_email,
      plan: body.plan ?? 'free',
      unknown_id_tags: 'accept',
      ...(body.timezone !== undefined && { time_zone: body.timezone }),
      created_at: now,
      updated_at: now,
    }
    const organization = withLegalDetails(made, body)
    const { row, key } = makeKey({
      organizationId: organization.organization_id,
      name: 'First key',
      scopes,
      now: time,
      newId: services.newId,
      randomBytes: services.randomBytes,
    })
    return {
      status: 201,
      body: { ...organizationView(organization, services.config), api_key: key },
      changes: [putRow(organizationsTable, organization), putRow(apiKeysTable, row)],
    }
  },
})

export const organizationParams = Type.Object({ org_id: Type.String({ maxLength: 64 }) })

const getOrganization = defineRoute({
  method: 'GET',
  path: '/api/v1/organizations/{org_id}',
  operationId: 'getOrganization',
  summary: 'Read the own organization',
  tags: ['Organizations'],
  surface: operator,
  scopes: ['read:organisations'],
  params: organizationParams,
  responses: { 200: Type.Object(organizationFields) },
  errors: [notFound],
  sheddable: 'never',
  handle: ({ principal, params }, { config }) => ({
    status: 200,
    body: organizationView(ownOrganization(principal, params.org_id), config),
  }),
})

const replaceOrganization = defineRoute({
  method: 'PUT',
  path: '/api/v1/organizations/{org_id}',
  operationId: 'replaceOrganization',
  summary: 'Change the own organization',
  description:
    'Name, country and contact are replaced. A legal detail that is left out stays as it is, and null removes it. Receipts and invoices print what is set ' +
    'when they are made, and stay as they are.',
  tags: ['Organizations'],
  surface: operator,
  scopes: ['write:organisations'],
  params: organizationParams,
  body: Type.Object({ ...fields, ...changedLegalFields }),
  responses: { 200: Type.Object(organizationFields) },
  errors: [notFound, conflict],
  sheddable: 'never',
  examples: {
    renamed: { name: 'Example Charging', country: 'DE', contact_email: 'operations@example.com' },
    legal: {
      name: 'Example Charging',
      country: 'NL',
      contact_email: 'operations@example.com',
      legal_name: 'Example Charging B.V.',
      street: 'Stationsplein 1',
      postal_code: '3511 ED',
      city: 'Utrecht',
      vat_id: 'NL001234567B01',
      registration_number: '12345678',
    },
  },
  handle({ principal, params, body }, services) {
    const { organization_id } = ownOrganization(principal, params.org_id)
    // Read again: the one of the principal may be old when the handler runs for the second time.
    const before = services.view().get(organizationsTable, [organization_id])
    if (before === undefined) throw notFound('there is no such organization')
    const { name, country, contact_email } = body
    const row: Organization = {
      ...withLegalDetails(before, body),
      name,
      country,
      contact_email,
      version: before.version + 1,
      updated_at: formatTimestamp(services.clock.now()),
    }
    const condition = {
      table: organizationsTable.name,
      key: [organization_id],
      is: 'version',
      version: before.version,
    } as const
    return {
      status: 200,
      body: organizationView(row, services.config),
      changes: [putRow(organizationsTable, row)],
      conditions: [{ condition }],
    }
  },
})

export const organizationRoutes = [createOrganization, getOrganization, replaceOrganization]
