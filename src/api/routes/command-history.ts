// The history of commands: of one charge point, and of the organization.

import { type Static, Type } from 'typebox'
import { commandStatuses, commandsTable } from '../../actors/records/command.js'
import { ownChargePoint } from '../charge-points.js'
import { commandSchema, commandView } from '../command-views.js'
import { idsBetween, pageFields, pageQuery, readPageByFields, timeQuery } from '../paging.js'
import { defineRoute } from '../route.js'
import { chargePointId, chargePointParams } from '../schemas.js'
import type { Services } from '../services.js'

const filters = {
  command: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  status: Type.Optional(Type.Enum([...commandStatuses])),
  ...timeQuery,
}

interface Filters {
  readonly charge_point_id?: string | undefined
  readonly command?: string | undefined
  readonly status?: string | undefined
  readonly executed_by?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly page: number
  readonly per_page: number
}

const indexes = {
  charge_point_id: 'byChargePoint',
  command: 'byCommand',
  status: 'byStatus',
  executed_by: 'byExecutor',
} as const

async function readHistory(organizationId: string, query: Filters, services: Services) {
  const view = services.view()
  const between = idsBetween('cmd', query)
  const options = { view, table: commandsTable, organizationId, indexes, wanted: query, query, between }
  const { rows, total } = await readPageByFields(options)
  return { commands: rows.map(commandView), total, page: query.page, per_page: query.per_page }
}

const chargePointHistory = defineRoute({
  method: 'GET',
  path: '/api/v1/cpo/commands/{charge_point_id}/history',
  operationId: 'listChargePointCommands',
  summary: 'List the commands sent to a charge point, newest first',
  tags: ['Operator commands'],
  credential: 'api_key',
  scopes: ['read:charge_points'],
  params: chargePointParams,
  query: Type.Object({ ...filters, ...pageQuery(20, 100) }),
  responses: {
    200: Type.Object({ charge_point_id: Type.String(), commands: Type.Array(commandSchema), ...pageFields }),
  },
  errors: ['not_found'],
  sheddable: 'list',
  async handle({ principal, params, query }, services) {
    const { charge_point_id, organization_id } = ownChargePoint(services.view(), principal, params.charge_point_id)
    const history = await readHistory(organization_id, { ...query, charge_point_id }, services)
    return { status: 200, body: { charge_point_id, ...history } }
  },
})

const organizationQuery = Type.Object({
  charge_point_id: Type.Optional(chargePointId()),
  executed_by: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  ...filters,
  ...pageQuery(20, 200),
})

const organizationHistory = defineRoute({
  method: 'GET',
  path: '/api/v1/cpo/commands/history',
  operationId: 'listCommands',
  summary: "List the organization's commands, newest first",
  tags: ['Operator commands'],
  credential: 'api_key',
  scopes: ['read:charge_points'],
  query: organizationQuery,
  responses: { 200: Type.Object({ commands: Type.Array(commandSchema), ...pageFields }) },
  sheddable: 'list',
  async handle({ principal, query }, services) {
    const filter: Static<typeof organizationQuery> = query
    return { status: 200, body: await readHistory(principal.organization.organization_id, filter, services) }
  },
})

export const commandHistoryRoutes = [chargePointHistory, organizationHistory]
