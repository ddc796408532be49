// Charging sessions: lists, single ones, and the transactions that run on a charge point now.

import { Type } from 'typebox'
import { energyDeliveredWh } from '../../actors/charge-point/energy-delivered.js'
import { sessionStatuses, sessionsTable } from '../../actors/records/session.js'
import { AmpshardError } from '../../runtime/errors.js'
import { ownChargePoint } from '../charge-points.js'
import { idsBetween, type List, pageFields, pageQuery, readPage, timeQuery } from '../paging.js'
import { defineRoute } from '../route.js'
import { chargePointId, chargePointParams, named, timestamp } from '../schemas.js'
import { liveSessionView, sessionSchema, sessionView } from '../sessions.js'

const listSessions = defineRoute({
  method: 'GET',
  path: '/api/v1/sessions',
  operationId: 'listSessions',
  summary: 'List charging sessions, newest first',
  description: '`from` and `to` bound the time at which the service took the session up.',
  tags: ['Sessions'],
  credential: 'api_key',
  scopes: ['read:sessions'],
  query: Type.Object({
    charge_point_id: Type.Optional(chargePointId()),
    status: Type.Optional(Type.Enum([...sessionStatuses])),
    ...timeQuery,
    ...pageQuery(20, 200),
  }),
  responses: { 200: Type.Object({ sessions: Type.Array(sessionSchema), ...pageFields }) },
  sheddable: 'list',
  handle({ principal, query }, services) {
    const view = services.view()
    const { page, per_page } = query
    const list = sessionList(principal.organization.organization_id, query.charge_point_id, query.status)
    const between = idsBetween('ses', query)
    const { rows, total } = readPage({ view, table: sessionsTable, list, query, between, newestFirst: true })
    const now = services.clock.now()
    return { status: 200, body: { sessions: rows.map((row) => sessionView(view, row, now)), total, page, per_page } }
  },
})

/** Every combination of the filters has a list of its own. */
function sessionList(organizationId: string, chargePoint: string | undefined, status: string | undefined): List {
  if (chargePoint !== undefined && status !== undefined)
    return { index: 'byChargePointStatus', group: [organizationId, chargePoint, status] }
  if (chargePoint !== undefined) return { index: 'byChargePoint', group: [organizationId, chargePoint] }
  if (status !== undefined) return { index: 'byStatus', group: [organizationId, status] }
  return { index: 'byOrganization', group: [organizationId] }
}

const getSession = defineRoute({
  method: 'GET',
  path: '/api/v1/sessions/{session_id}',
  operationId: 'getSession',
  summary: 'Read a charging session',
  tags: ['Sessions'],
  credential: 'api_key',
  scopes: ['read:sessions'],
  params: Type.Object({ session_id: Type.String({ maxLength: 64 }) }),
  responses: { 200: sessionSchema },
  errors: ['not_found'],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const view = services.view()
    const session = view.get(sessionsTable, [params.session_id])
    if (session?.organization_id !== principal.organization.organization_id)
      throw new AmpshardError('not_found', 'there is no such session')
    return { status: 200, body: liveSessionView(view, session, services.clock.now()) }
  },
})

const activeTransaction = named('ActiveTransaction', {
  transaction_id: Type.Integer(),
  connector_id: Type.Integer(),
  id_tag: Type.String(),
  start_time: timestamp(),
  meter_start: Type.Integer({ description: 'Wh' }),
  current_meter_value: Type.Integer({ description: 'Wh' }),
  energy_delivered_wh: Type.Integer(),
  duration_seconds: Type.Integer(),
})

const activeTransactions = defineRoute({
  method: 'GET',
  path: '/api/v1/ocpp16/active_transactions/{charge_point_id}',
  operationId: 'listActiveTransactions',
  summary: 'List the transactions that run on a charge point',
  tags: ['OCPP 1.6 commands'],
  credential: 'api_key',
  scopes: ['read:charge_points', 'read:sessions'],
  params: chargePointParams,
  responses: {
    200: Type.Object({
      charge_point_id: Type.String(),
      active_transactions: Type.Array(activeTransaction),
      total: Type.Integer(),
    }),
  },
  errors: ['not_found'],
  sheddable: 'list',
  handle({ principal, params }, services) {
    const view = services.view()
    const { charge_point_id, organization_id } = ownChargePoint(view, principal, params.charge_point_id)
    const group = [organization_id, charge_point_id, 'active']
    const now = services.clock.now()
    const active_transactions = view.listBy(sessionsTable, 'byChargePointStatus', group).map((session) => {
      const delivered = energyDeliveredWh(view, session, now)
      return {
        transaction_id: session.transaction_id,
        connector_id: session.connector_id,
        id_tag: session.id_tag,
        start_time: session.started_at,
        meter_start: session.meter_start,
        current_meter_value: session.meter_start + delivered,
        energy_delivered_wh: delivered,
        duration_seconds: Math.max(0, Math.floor((now - Date.parse(session.started_at)) / 1_000)),
      }
    })
    return { status: 200, body: { charge_point_id, active_transactions, total: active_transactions.length } }
  },
})

export const sessionRoutes = [listSessions, getSession, activeTransactions]
