// Charging sessions: lists, single ones, and the transactions that run on a charge point now.

import { Type } from 'typebox'
import { energyDeliveredWh } from '../../../actors/charge-point/energy-delivered.js'
import { sessionsTable } from '../../../records/session.js'
import { notFound } from '../../../runtime/errors.js'
import { defineList } from '../../pipeline/list-route.js'
import { readPage } from '../../pipeline/paging.js'
import { defineRoute } from '../../pipeline/route.js'
import { chargePointParams, named, timestamp } from '../../pipeline/schemas.js'
import { operator } from '../../surfaces/operator.js'
import { ownChargePoint } from '../charge-points/charge-points.js'
import { readSessions, sessionFilters, sessionListDescription } from './session-lists.js'
import { liveSessionView, sessionSchema, sessionView } from './sessions.js'

const listSessions = defineList({
  surface: operator,
  path: '/api/v1/sessions',
  operationId: 'listSessions',
  summary: 'List charging sessions, newest first',
  description: `${sessionListDescription} Several filters are combined.`,
  tags: ['Sessions'],
  scopes: ['read:sessions'],
  filters: sessionFilters,
  name: 'sessions',
  row: sessionSchema,
  perPage: 20,
  maximum: 200,
  async read({ principal, query }, services) {
    const view = services.view()
    const { rows, total } = await readSessions(view, principal.organization.organization_id, query)
    const now = services.clock.now()
    return { rows: rows.map((row) => sessionView(view, row, now)), total }
  },
})

const getSession = defineRoute({
  method: 'GET',
  path: '/api/v1/sessions/{session_id}',
  operationId: 'getSession',
  summary: 'Read a charging session',
  tags: ['Sessions'],
  surface: operator,
  scopes: ['read:sessions'],
  params: Type.Object({ session_id: Type.String({ maxLength: 64 }) }),
  responses: { 200: sessionSchema },
  errors: [notFound],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const view = services.view()
    const session = view.get(sessionsTable, [params.session_id])
    if (session?.organization_id !== principal.organization.organization_id) throw notFound('there is no such session')
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

const activeTransactions = defineList({
  surface: operator,
  path: '/api/v1/ocpp16/active_transactions/{charge_point_id}',
  operationId: 'listActiveTransactions',
  summary: 'List the transactions that run on a charge point',
  tags: ['OCPP 1.6 commands'],
  scopes: ['read:charge_points', 'read:sessions'],
  params: chargePointParams,
  name: 'active_transactions',
  row: activeTransaction,
  fields: { charge_point_id: Type.String() },
  perPage: 100,
  maximum: 200,
  errors: [notFound],
  read({ principal, params, query }, services) {
    const view = services.view()
    const { charge_point_id, organization_id } = ownChargePoint(view, principal, params.charge_point_id)
    const list = { index: 'activeAtChargePoint', group: [organization_id, charge_point_id] }
    const running = readPage({ view, table: sessionsTable, list, query })
    const now = services.clock.now()
    const rows = running.rows.map((session) => {
      const delivered = energyDeliveredWh(view, session)
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
    return { charge_point_id, rows, total: running.total }
  },
})

export const sessionRoutes = [listSessions, getSession, activeTransactions]
