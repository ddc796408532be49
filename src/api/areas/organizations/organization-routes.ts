// Organizations: created by the operator of the installation, read and changed by their own keys.

import { Type } from 'typebox'
import { apiKeysTable, scopes } from '../../../records/api-key.js'
import { organizationsTable, plans } from '../../../records/organization.js'
import { forbidden } from '../../pipeline/errors.js'
import { makeKey } from '../../pipeline/make-key.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { timezoneFaults, timezoneName } from '../../pipeline/timezone.js'
import { recentSignIn } from '../../surfaces/recent-sign-in.js'
import { announceOrganization } from '../charge-points/announce-place.js'
import { area, organizations } from './area.js'
import { bootstrapKeyName } from './bootstrap.js'
import { operates } from './operator.js'
import {
  changedLegalDetails,
  changedLegalFields,
  fields,
  organizationFields,
  organizationView,
} from './organizations.js'

const createOrganization = area.post('', {
  operationId: 'createOrganization',
  requires: [recentSignIn],
  summary: 'Create an organization and its first API key',
  description:
    'Only for API keys of the organization that operates the installation. The key of the new organization has every scope, and the answer shows ' +
    'it once.',
  body: Type.Object({
    ...fields,
    ...changedLegalFields,
    plan: Type.Optional(Type.Enum([...plans], { default: 'free' })),
    timezone: Type.Optional(timezoneName()),
  }),
  answer: Type.Object({ ...organizationFields, api_key: Type.String() }),
  status: 201,
  errors: [forbidden],
  secret: true,
  examples: {
    operator: {
      name: 'Example Charging',
      country: 'NL',
      contact_email: 'operations@example.com',
      timezone: 'Europe/Amsterdam',
    },
  },
  change({ principal, body }, draft, services) {
    if (!operates(principal, draft.view))
      throw forbidden('only the organization that operates the installation can create organizations')
    const faults = timezoneFaults(body.timezone)
    if (faults.length > 0) throw invalid(faults)
    const now = services.clock.now()
    const created_at = formatTimestamp(now)
    const { name, country, contact_email } = body
    const organization = draft.put(organizationsTable, {
      organization_id: services.newId('org'),
      name,
      country,
      contact_email,
      ...changedLegalDetails({}, body),
      plan: body.plan ?? 'free',
      unknown_id_tags: 'accept',
      time_zone: body.timezone,
      created_at,
      updated_at: created_at,
    })
    const { row, key } = makeKey({
      organizationId: organization.organization_id,
      name: bootstrapKeyName,
      scopes,
      now,
      newId: services.newId,
      randomBytes: services.randomBytes,
    })
    draft.put(apiKeysTable, row)
    return { ...organizationView(organization, services.config), api_key: key }
  },
})

const getOrganization = area.get('/{org_id}', {
  operationId: 'getOrganization',
  summary: 'Get your organization',
  of: organizations,
  answer: Type.Object(organizationFields),
  read: ({ row }, { config }) => organizationView(row, config),
})

const replaceOrganization = area.put('/{org_id}', {
  operationId: 'replaceOrganization',
  summary: 'Replace the details of your organization',
  description:
    'Replaces the name, the country and the contact. A legal detail that you leave out stays as it is, and null removes it. Receipts and ' +
    'invoices print what is set when they are created, and do not change afterwards.',
  of: organizations,
  body: Type.Object({ ...fields, ...changedLegalFields }),
  answer: Type.Object(organizationFields),
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
  change({ row: before, body }, draft, services) {
    const { name, country, contact_email } = body
    const row = draft.put(organizationsTable, {
      ...before,
      ...changedLegalDetails(before, body),
      name,
      country,
      contact_email,
      updated_at: formatTimestamp(services.clock.now()),
    })
    announceOrganization(draft, before, row, services)
    return organizationView(row, services.config)
  },
})

export const organizationRoutes = [createOrganization, getOrganization, replaceOrganization]
