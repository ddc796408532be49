// What an installer sees of the commissionings of its charge points.

import { Type } from 'typebox'
import { limits } from '../../../actors/commissioning/limits.js'
import type { InstalledChargePoint } from '../../../records/charge-point.js'
import {
  type CommissioningSession,
  commissioningSessionsTable,
  isOfRegistration,
  logLevels,
  newestSession,
  stepNames,
} from '../../../records/commissioning.js'
import { builtInCommissioningTemplates, type CommissioningTemplate } from '../../../records/commissioning-template.js'
import { notFound } from '../../../runtime/errors.js'
import { pageOf } from '../../pipeline/paging.js'
import { nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { installerChargePoints } from '../installer-charge-points/area.js'
import { area } from './area.js'
import { commissioningNotStarted } from './errors.js'
import { logEntry, sessionSchema, sessionView } from './sessions.js'

function isOf(session: CommissioningSession, { charge_point_id, installed }: InstalledChargePoint): boolean {
  return session.charge_point_id === charge_point_id && isOfRegistration(session, installed)
}

/** Throws `commissioning_not_started`. */
function newestOf(row: InstalledChargePoint, services: Services): CommissioningSession {
  const found = newestSession(services.view(), row.charge_point_id)
  if (found === undefined || !isOf(found, row))
    throw commissioningNotStarted('no commissioning of the charge point was started', {
      chargePointId: row.charge_point_id,
    })
  return found
}

/** Throws `not_found`. */
function sessionOf(row: InstalledChargePoint, sessionId: string, services: Services): CommissioningSession {
  const found = services.view().get(commissioningSessionsTable, [sessionId])
  if (found === undefined || !isOf(found, row))
    throw notFound('there is no such commissioning of the charge point', { chargePointId: row.charge_point_id })
  return found
}

const getStatus = area.get('/{charge_point_id}/status', {
  operationId: 'getCommissioningStatus',
  summary: 'Show how far the commissioning of a charge point is',
  description: 'Shows the newest: each step with what was sent, what came back, and how long it took.',
  of: installerChargePoints,
  errors: [commissioningNotStarted],
  answer: sessionSchema,
  read: ({ row }, services) => sessionView(newestOf(row, services)),
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
      query.session_id === undefined ? newestOf(row, services) : sessionOf(row, query.session_id, services)
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
