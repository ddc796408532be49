// Requests to be connected with a partner or a platform: made and followed by organizations, answered by the operator of the installation.

import { Type } from 'typebox'
import {
  type IntegrationRequest,
  integrationRequestList,
  integrationRequestsTable,
  integrationStatuses,
  integrationTypes,
} from '../../../records/integration-request.js'
import { conflict } from '../../../runtime/errors.js'
import { filledLine, lines } from '../../../runtime/fault-words.js'
import { defineArea } from '../../pipeline/area.js'
import { forbidden } from '../../pipeline/errors.js'
import { defineOwned } from '../../pipeline/owned.js'
import { readPage } from '../../pipeline/paging.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import { limits } from './limits.js'
import { operated, operates } from './operator.js'

const area = defineArea(operator, {
  tag: 'Integration requests',
  about: 'Ask the operator of the installation for an integration, and answer such requests.',
  path: '/api/v1/integration-requests',
  read: 'read:ocpi',
  write: 'write:ocpi',
})

const integrationRequests = defineOwned({
  table: integrationRequestsTable,
  id: 'request_id',
  idPrefix: 'req',
  called: 'integration request',
})

const words = {
  type: 'What is to be connected: an e-mobility service provider (`emsp`), a roaming hub, a payment provider, or something else.',
  partner_name: 'The name of the partner or platform.',
  description: 'What the operator of the installation needs to know about the request.',
  status: 'The status is `submitted` until the operator of the installation has reviewed the request.',
}

const requestSchema = named('IntegrationRequest', {
  id: Type.String(),
  organization_id: Type.String(),
  type: Type.Enum([...integrationTypes], { description: words.type }),
  partner_name: Type.String({ description: words.partner_name }),
  description: nullable(Type.String({ description: words.description })),
  status: Type.Enum([...integrationStatuses], { description: words.status }),
  note: nullable(Type.String({ description: 'A note by the operator of the installation.' })),
  created_at: timestamp(),
  updated_at: timestamp(),
})

function requestView({ request_id, version: _, description, note, ...row }: IntegrationRequest) {
  return { id: request_id, ...row, description: description ?? null, note: note ?? null }
}

const createRequest = area.post('', {
  operationId: 'createIntegrationRequest',
  summary: 'Create a request to be connected with a partner or a platform',
  body: Type.Object({
    type: Type.Enum([...integrationTypes], { description: words.type }),
    partner_name: Type.String({ minLength: 1, maxLength: 200, ...filledLine, description: words.partner_name }),
    description: Type.Optional(Type.String({ maxLength: 2_000, ...lines, description: words.description })),
  }),
  answer: requestSchema,
  status: 201,
  errors: [conflict],
  examples: { roaming: { type: 'roaming_hub', partner_name: 'Example Hub', description: 'For guests from abroad.' } },
  change({ principal, body }, draft, services) {
    const { organization_id } = principal.organization
    const most = limits.submittedIntegrationRequests
    const tooMany = conflict(`${most} requests have not been reviewed yet: wait until some have been`)
    draft.requireRoom(integrationRequestsTable, integrationRequestList(organization_id, 'submitted'), most, tooMany)
    const now = formatTimestamp(services.clock.now())
    const row = draft.put(integrationRequestsTable, {
      request_id: services.newId('req'),
      organization_id,
      type: body.type,
      partner_name: body.partner_name,
      description: body.description,
      status: 'submitted',
      created_at: now,
      updated_at: now,
    })
    return requestView(row)
  },
})

const listRequests = area.list('', {
  operationId: 'listIntegrationRequests',
  summary: 'List integration requests with their status, newest first',
  description:
    'Returns the requests of your organization. With `all`, returns those of every organization: only for API keys of the organization that ' +
    'operates the installation.',
  filters: {
    status: Type.Optional(
      Type.Enum([...integrationStatuses], { description: 'Returns only requests with this status.' }),
    ),
    all: Type.Optional(Type.Boolean({ description: 'Whether the requests of every organization are returned.' })),
  },
  row: requestSchema,
  perPage: 50,
  maximum: 200,
  errors: [forbidden],
  read({ principal, query }, services) {
    const view = services.view()
    if (query.all === true && !operates(principal, view))
      throw forbidden('only the organization that operates the installation can list the requests of others')
    const organizationId = query.all === true ? undefined : principal.organization.organization_id
    const list = integrationRequestList(organizationId, query.status)
    const { rows, total } = readPage({ view, table: integrationRequestsTable, list, query, newestFirst: true })
    return { rows: rows.map(requestView), total }
  },
})

const answerRequest = area.patch('/{request_id}', {
  operationId: 'answerIntegrationRequest',
  summary: 'Update the status of an integration request',
  description: 'Only for API keys of the organization that operates the installation.',
  of: operated(
    integrationRequests,
    'only the organization that operates the installation can answer integration requests',
  ),
  body: Type.Object({
    status: Type.Enum([...integrationStatuses], { description: words.status }),
    note: Type.Optional(
      Type.String({
        maxLength: 2_000,
        ...lines,
        description: 'A note for the organization that made the request. If you leave it out, the note stays as it is.',
      }),
    ),
  }),
  answer: requestSchema,
  errors: [forbidden],
  examples: { connected: { status: 'connected', note: 'Connected over OCPI 2.2.1.' } },
  change({ row: before, body }, draft, services) {
    draft.concern({ organizationId: before.organization_id })
    const row = draft.put(integrationRequestsTable, {
      ...before,
      status: body.status,
      note: body.note ?? before.note,
      updated_at: formatTimestamp(services.clock.now()),
    })
    return requestView(row)
  },
})

export const integrationRequestRoutes = [createRequest, listRequests, answerRequest]
