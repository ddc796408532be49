// What an installer sees of the commissionings of its charge points.

import { Type } from 'typebox'
import { limits } from '../../../actors/commissioning/limits.js'
import { isUnclaimed } from '../../../records/charge-point.js'
import { logLevels, stepNames } from '../../../records/commissioning.js'
import { builtInCommissioningTemplates, type CommissioningTemplate } from '../../../records/commissioning-template.js'
import { pageOf } from '../../pipeline/paging.js'
import { nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { installerChargePoints } from '../installer-charge-points/area.js'
import { area } from './area.js'
import { commissioningNotStarted } from './errors.js'
import { requireNewest, requireSession } from './found.js'
import { logEntry, sessionSchema, sessionView, withoutValues } from './sessions.js'

const getStatus = area.get('/{charge_point_id}/status', {
  operationId: 'getCommissioningStatus',
  summary: 'Show how far the commissioning of a charge point is',
  description: 'Shows the newest: each step with what was sent, what came back, and how long it took.',
  of: installerChargePoints,
  errors: [commissioningNotStarted],
  answer: sessionSchema,
  read({ row }, services) {
    const session = requireNewest(row, services)
    return sessionView(isUnclaimed(row) ? session : withoutValues(session))
  },
})

const getLogs = area.list('/{charge_point_id}/logs', {
  operationId: 'getCommissioningLogs',
  summary: 'Read the log of a commissioning',
  description: 'The oldest entry first.',
  of: installerChargePoints,
  errors: [commissioningNotStarted],
  name: 'logs',
  row: logEntry,
  perPage: limits.logEntries,
  maximum: limits.logEntries,
  filters: {
    session_id: Type.Optional(Type.String({ maxLength: 64, description: 'The newest, unless it is given.' })),
    level: Type.Optional(
      Type.Enum([...logLevels], { description: 'Entries of this level alone; all unless it is given.' }),
    ),
  },
  fields: { charge_point_id: Type.String(), session_id: Type.String() },
  read({ row, query }, services) {
    const { charge_point_id, session_id, log } =
      query.session_id === undefined ? requireNewest(row, services) : requireSession(row, query.session_id, services)
    const logs = log.filter(({ level }) => query.level === undefined || level === query.level)
    return { charge_point_id, session_id, rows: pageOf(logs, query), total: logs.length }
  },
})

export function commissioningTemplates({ config }: Pick<Services, 'config'>): readonly CommissioningTemplate[] {
  return config.commissioningTemplates ?? builtInCommissioningTemplates
}

const listTemplates = area.list('/templates', {
  operationId: 'listCommissioningTemplates',
  summary: 'List the templates of commissionings',
  description:
    'Those that are built in, and those of JSON files in the folder `commissioning-templates` of the data directory of the installation.',
  name: 'templates',
  row: Type.Object({
    template_id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    compatible_models: Type.Array(Type.String(), {
      description: 'In each, * stands for any characters. An empty list stands for all models.',
    }),
    steps: Type.Array(Type.Enum([...stepNames])),
    created_at: nullable(timestamp()),
  }),
  perPage: 100,
  maximum: 100,
  read({ query }, services) {
    const templates = commissioningTemplates(services).map((one) => ({ ...one, created_at: one.created_at ?? null }))
    return { rows: pageOf(templates, query), total: templates.length }
  },
})

export const readRoutes = [getStatus, getLogs, listTemplates]
