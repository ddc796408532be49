// The transactions that are running on a charge point, beside its commands: their ids are what RemoteStopTransaction takes.

import { Type } from 'typebox'
import { energyDeliveredWh } from '../../../actors/charge-point/energy-delivered.js'
import { sessionsTable } from '../../../records/session.js'
import { defineArea } from '../../pipeline/area.js'
import { readPage } from '../../pipeline/paging.js'
import { named, timestamp } from '../../pipeline/schemas.js'
import { operator } from '../../surfaces/operator.js'
import { chargePoints } from '../charge-points/area.js'

const area = defineArea(operator, {
  tag: 'OCPP 1.6 commands',
  path: '/api/v1/ocpp16/active_transactions',
  read: 'read:sessions',
  write: 'write:sessions',
})

const activeTransaction = named('ActiveTransaction', {
  transaction_id: Type.Integer(),
  connector_id: Type.Integer(),
  id_tag: Type.String(),
  start_time: timestamp(),
  meter_start: Type.Integer({ description: 'In Wh.' }),
  current_meter_value: Type.Integer({ description: 'In Wh.' }),
  energy_delivered_wh: Type.Integer(),
  duration_seconds: Type.Integer(),
})

const activeTransactions = area.list('/{charge_point_id}', {
  operationId: 'listActiveTransactions',
  summary: 'List the transactions that are running on a charge point',
  scopes: ['read:charge_points', 'read:sessions'],
  of: chargePoints,
  name: 'active_transactions',
  row: activeTransaction,
  fields: { charge_point_id: Type.String() },
  perPage: 100,
  maximum: 200,
  read({ row: { charge_point_id, organization_id }, query }, services) {
    const view = services.view()
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

export const activeTransactionRoutes = [activeTransactions]
