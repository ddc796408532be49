// Requests to be connected with a partner or a platform: made and followed by organizations, answered by the operator of the installation.

import { Type } from 'typebox'
import {
  type IntegrationRequest,
  integrationRequestList,
  integrationRequestsTable,
  integrationStatuses,
  integrationTypes,
} from '../../../records/integration-request.js'
import { installationTable } from '../../../records/organization.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { notBlank } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { below, putRow, unchanged } from '../../pipeline/changes.js'
import { forbidden } from '../../pipeline/errors.js'
import { defineList } from '../../pipeline/list-route.js'
import { readPage } from '../../pipeline/paging.js'
import { defineRoute } from '../../pipeline/route.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import type { Principal } from '../../surfaces/principal.js'
import { limits } from './limits.js'

const tags = ['Integration requests']

const requestSchema = named('IntegrationRequest', {
  id: Type.String(),
  organization_id: Type.String(),
  type: Type.Enum([...integrationTypes]),
  partner_name: Type.String(),
  description: nullable(Type.String()),
  status: Type.Enum([...integrationStatuses]),
  note: nullable(Type.String({ description: 'of the operator of the installation' })),
  created_at: timestamp(),
  updated_at: timestamp(),
})

function requestView({ request_id, version: _, description, note, ...row }: IntegrationRequest) {
  return { id: request_id, ...row, description: description ?? null, note: note ?? null }
}

function isOperator(view: ReadView, { organization }: Principal): boolean {
  return view.get(installationTable, ['installation'])?.default_organization_id === organization.organization_id
}

const createRequest = defineRoute({
  method: 'POST',
  path: '/api/v1/integration-requests',
  operationId: 'createIntegrationRequest',
  summary: 'Ask to be connected with a partner or a platform',
  tags,
  surface: operator,
  scopes: ['write:ocpi'],
  body: Type.Object({
    type: Type.Enum([...integrationTypes]),
    partner_name: Type.String({ minLength: 1, maxLength: 200, ...notBlank }),
    description: Type.Optional(Type.String({ maxLength: 2_000 })),
  }),
  responses: { 201: requestSchema },
  errors: [conflict],
  sheddable: 'never',
  examples: { roaming: { type: 'roaming_hub', partner_name: 'Example Hub', description: 'For guests from abroad.' } },
  handle({ principal, body }, services) {
    const { organization_id } = principal.organization
    const { index, group } = integrationRequestList(organization_id, 'submitted')
    const most = limits.submittedIntegrationRequests
    const tooMany = conflict(`${most} requests have not been looked at yet: wait for those`)
    if (services.view().total(integrationRequestsTable, index, group) >= most) throw tooMany
    const now = formatTimestamp(services.clock.now())
    const row: IntegrationRequest = {
      request_id: services.newId('req'),
      organization_id,
      version: 1,
      type: body.type,
      partner_name: body.partner_name,
      ...(body.description !== undefined && { description: body.description }),
      status: 'submitted',
      created_at: now,
      updated_at: now,
    }
    return {
      status: 201,
      body: requestView(row),
      changes: [putRow(integrationRequestsTable, row)],
      conditions: [{ condition: below(integrationRequestsTable, index, group, most), otherwise: tooMany }],
    }
  },
})

const listRequests = defineList({
  surface: operator,
  path: '/api/v1/integration-requests',
  operationId: 'listIntegrationRequests',
  summary: 'List integration requests with their status, newest first',
  description:
    "Those of the own organization. With `all`, those of every organization: for keys of the installation's own organization.",
  tags,
  scopes: ['read:ocpi'],
  filters: {
    status: Type.Optional(Type.Enum([...integrationStatuses])),
    all: Type.Optional(Type.Boolean()),
  },
  row: requestSchema,
  perPage: 50,
  maximum: 200,
  errors: [forbidden],
  read({ principal, query }, services) {
    const view = services.view()
    if (query.all === true && !isOperator(view, principal))
      throw forbidden("only the installation's own organization sees those of others")
    const organizationId = query.all === true ? undefined : principal.organization.organization_id
    const list = integrationRequestList(organizationId, query.status)
    const { rows, total } = readPage({ view, table: integrationRequestsTable, list, query, newestFirst: true })
    return { rows: rows.map(requestView), total }
  },
})

const answerRequest = defineRoute({
  method: 'PATCH',
  path: '/api/v1/integration-requests/{request_id}',
  operationId: 'answerIntegrationRequest',
  summary: 'Say what has become of an integration request',
  description: "For keys of the installation's own organization.",
  tags,
  surface: operator,
  scopes: ['write:ocpi'],
  params: Type.Object({ request_id: Type.String({ maxLength: 64 }) }),
  body: Type.Object({
    status: Type.Enum([...integrationStatuses]),
    note: Type.Optional(Type.String({ maxLength: 2_000 })),
  }),
  responses: { 200: requestSchema },
  errors: [notFound, forbidden, conflict],
  sheddable: 'never',
  examples: { connected: { status: 'connected', note: 'Connected over OCPI 2.2.1.' } },
  handle({ principal, params, body }, services) {
    const view = services.view()
    const operator = isOperator(view, principal)
    const key = [params.request_id]
    const before = view.get(integrationRequestsTable, key)
    if (before === undefined || (!operator && before.organization_id !== principal.organization.organization_id))
      throw notFound('there is no such integration request')
    if (!operator) throw forbidden("only the installation's own organization answers requests")
    const row: IntegrationRequest = {
      ...before,
      version: before.version + 1,
      status: body.status,
      ...(body.note !== undefined && { note: body.note }),
      updated_at: formatTimestamp(services.clock.now()),
    }
    return {
      status: 200,
      body: requestView(row),
      concerns: { organizationId: row.organization_id },
      changes: [putRow(integrationRequestsTable, row)],
      conditions: [{ condition: unchanged(integrationRequestsTable, key, before) }],
    }
  },
})

export const integrationRequestRoutes = [createRequest, listRequests, answerRequest]
