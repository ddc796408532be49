// Alerts: what is open, what was, and that somebody has seen to it.

import { Type } from 'typebox'
import { alertDetails, alertKindNames, alertSeverities } from '../../../alerts/kinds/index.js'
import {
  type Alert,
  type AlertAcknowledgement,
  alertAcknowledgementsTable,
  alertStatuses,
  alertsTable,
  currentAlerts,
} from '../../../records/alert.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { putRow } from '../../pipeline/changes.js'
import { defineList } from '../../pipeline/list-route.js'
import { readPageByFields } from '../../pipeline/paging.js'
import { defineRoute } from '../../pipeline/route.js'
import { chargePointId, named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import type { Principal } from '../../surfaces/principal.js'

const alertSchema = named('Alert', {
  alert_id: Type.String(),
  kind: Type.Enum([...alertKindNames]),
  status: Type.Enum([...alertStatuses], {
    description: 'a notice tells of something that has happened; nothing ends it',
  }),
  severity: Type.Enum([...alertSeverities]),
  message: Type.String(),
  charge_point_id: nullable(Type.String()),
  connector_id: nullable(Type.Integer()),
  webhook_endpoint_id: nullable(Type.String()),
  details: alertDetails,
  triggered_at: timestamp(),
  resolved_at: nullable(timestamp()),
  resolution: nullable(Type.String({ description: 'why it is over' })),
  acknowledged_at: nullable(timestamp()),
  acknowledged_by: nullable(Type.String({ description: 'the id of the key' })),
})

function alertView(alert: Alert, view: ReadView, given?: AlertAcknowledgement) {
  const acknowledgement = given ?? view.get(alertAcknowledgementsTable, [alert.alert_id])
  return {
    alert_id: alert.alert_id,
    kind: alert.kind,
    status: alert.status,
    severity: alert.severity,
    message: alert.message,
    charge_point_id: alert.charge_point_id ?? null,
    connector_id: alert.connector_id ?? null,
    webhook_endpoint_id: alert.webhook_endpoint_id ?? null,
    details: alert.details ?? {},
    triggered_at: alert.triggered_at,
    resolved_at: alert.resolved_at ?? null,
    resolution: alert.resolution ?? null,
    acknowledged_at: acknowledgement?.acknowledged_at ?? null,
    acknowledged_by: acknowledgement?.acknowledged_by ?? null,
  }
}

/** Throws `not_found`, for another organization's too. */
function ownAlert(view: ReadView, principal: Principal, alertId: string): Alert {
  const found = view.get(alertsTable, [alertId])
  if (found !== undefined && found.organization_id === principal.organization.organization_id) return found
  throw notFound('there is no such alert')
}

const alertParams = Type.Object({ alert_id: Type.String({ minLength: 1, maxLength: 64 }) })

const indexes = { seen: 'byCurrent', status: 'byStatus', kind: 'byKind', charge_point_id: 'byChargePoint' } as const

const listAlerts = defineList({
  surface: operator,
  path: '/api/v1/alerts',
  operationId: 'listAlerts',
  summary: 'List alerts, newest first',
  description:
    'Without a `status`, those that somebody should look at: open alerts, and notices that nobody has acknowledged. The same are told as the events alert.triggered and alert.resolved. ' +
    'From when on each kind is an alert is set under /api/v1/organizations/{org_id}/settings.',
  tags: ['Alerts'],
  scopes: ['read:charge_points'],
  filters: {
    status: Type.Optional(Type.Enum([...alertStatuses, 'all'])),
    kind: Type.Optional(Type.Enum([...alertKindNames])),
    charge_point_id: Type.Optional(chargePointId()),
  },
  name: 'alerts',
  row: alertSchema,
  perPage: 50,
  maximum: 200,
  async read({ principal, query }, services) {
    const view = services.view()
    const { organization_id } = principal.organization
    const { status, kind, charge_point_id } = query
    const wanted = {
      seen: status === undefined ? currentAlerts : undefined,
      status: status === 'all' ? undefined : status,
      kind,
      charge_point_id,
    }
    const { rows, total } = await readPageByFields({
      view,
      table: alertsTable,
      organizationId: organization_id,
      indexes,
      wanted,
      query,
    })
    return { rows: rows.map((row) => alertView(row, view)), total }
  },
})

const getAlert = defineRoute({
  method: 'GET',
  path: '/api/v1/alerts/{alert_id}',
  operationId: 'getAlert',
  summary: 'Read an alert',
  tags: ['Alerts'],
  surface: operator,
  scopes: ['read:charge_points'],
  params: alertParams,
  responses: { 200: alertSchema },
  errors: [notFound],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const view = services.view()
    return { status: 200, body: alertView(ownAlert(view, principal, params.alert_id), view) }
  },
})

const acknowledgeAlert = defineRoute({
  method: 'POST',
  path: '/api/v1/alerts/{alert_id}/acknowledge',
  operationId: 'acknowledgeAlert',
  summary: 'Say that somebody has seen to an alert',
  description:
    'It stays open until its cause is gone; a notice leaves the list of what is to be looked at. The first to say so stays the one who did.',
  tags: ['Alerts'],
  surface: operator,
  scopes: ['write:charge_points'],
  params: alertParams,
  responses: { 200: alertSchema },
  errors: [notFound, conflict],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const view = services.view()
    const alert = ownAlert(view, principal, params.alert_id)
    const key = [alert.alert_id]
    if (view.get(alertAcknowledgementsTable, key) !== undefined) return { status: 200, body: alertView(alert, view) }
    const row: AlertAcknowledgement = {
      alert_id: alert.alert_id,
      acknowledged_at: formatTimestamp(services.clock.now()),
      acknowledged_by: principal.key.key_id,
    }
    return {
      status: 200,
      body: alertView(alert, view, row),
      changes: [
        putRow(alertAcknowledgementsTable, row),
        ...(alert.status === 'notice' ? [putRow(alertsTable, { ...alert, seen: true })] : []),
      ],
      conditions: [{ condition: { table: alertAcknowledgementsTable.name, key, is: 'absent' } }],
    }
  },
})

export const alertRoutes = [listAlerts, getAlert, acknowledgeAlert]
