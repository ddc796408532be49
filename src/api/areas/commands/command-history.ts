// The history of commands: of one charge point, and of the organization.

import { Type } from 'typebox'
import { commandStatuses, commandsTable } from '../../../records/command.js'
import { idsBetween, type PageQuery, readPageByFields, timeQuery } from '../../pipeline/paging.js'
import { chargePointId } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { chargePoints } from '../charge-points/area.js'
import { area } from './area.js'
import { commandSchema, commandView } from './command-views.js'

const filters = {
  command: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Returns only commands with this name, such as `soft_reset` or, for a raw command, its OCPP action.',
    }),
  ),
  status: Type.Optional(Type.Enum([...commandStatuses], { description: 'Returns only commands with this status.' })),
  ...timeQuery,
}

interface Filters extends PageQuery {
  readonly charge_point_id?: string | undefined
  readonly command?: string | undefined
  readonly status?: string | undefined
  readonly executed_by?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
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
  const begin = services.longReads.of(organizationId)
  const options = { view, begin, table: commandsTable, organizationId, indexes, wanted: query, query, between }
  const { rows, total } = await readPageByFields(options)
  return { rows: rows.map((row) => commandView(row, view)), total }
}

const chargePointHistory = area.list('/{charge_point_id}/history', {
  operationId: 'listChargePointCommands',
  summary: 'List the commands that were sent to a charge point, the newest first',
  of: chargePoints,
  filters,
  name: 'commands',
  row: commandSchema,
  fields: { charge_point_id: Type.String() },
  perPage: 20,
  maximum: 100,
  async read({ row: { charge_point_id, organization_id }, query }, services) {
    const history = await readHistory(organization_id, { ...query, charge_point_id }, services)
    return { charge_point_id, ...history }
  },
})

const organizationHistory = area.list('/history', {
  operationId: 'listCommands',
  summary: "List the organization's commands, the newest first",
  filters: {
    charge_point_id: Type.Optional(chargePointId()),
    executed_by: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Returns only commands with this `executed_by`, such as `api_key:` with the id of a key.',
      }),
    ),
    ...filters,
  },
  name: 'commands',
  row: commandSchema,
  perPage: 20,
  maximum: 200,
  read: ({ principal, query }, services) => readHistory(principal.organization.organization_id, query, services),
})

export const commandHistoryRoutes = [chargePointHistory, organizationHistory]
