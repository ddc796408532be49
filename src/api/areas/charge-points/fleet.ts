// The fleet at a glance: read from totals that the store keeps, never by counting rows.

import { Type } from 'typebox'
import { connectorStatuses } from '../../../ocpp16/connector-status.js'
import { chargePointsTable } from '../../../records/charge-point.js'
import { chargePointStatesTable, chargePointStatuses } from '../../../records/charge-point-state.js'
import { connectorsTotal, onlineTotal, wattsTotal } from '../../../records/presence.js'
import { sessionsTable } from '../../../records/session.js'
import { defineRoute } from '../../pipeline/route.js'
import { timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'

const counts = (names: readonly string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Integer({ minimum: 0 })])))

const fleetSummary = defineRoute({
  method: 'GET',
  path: '/api/v1/cpo/fleet/summary',
  operationId: 'getFleetSummary',
  summary: 'Count charge points, connectors, sessions and power',
  description:
    '`connectors.total` counts what operators have declared (`connector_count`), and what charge points have named beyond that. ' +
    '`connectors.by_status` counts those that a connected charge point has reported; `connectors.offline` counts the others.',
  tags: ['Charge points'],
  surface: operator,
  scopes: ['read:charge_points'],
  responses: {
    200: Type.Object({
      total: Type.Integer(),
      online: Type.Integer(),
      offline: Type.Integer(),
      by_status: counts(chargePointStatuses),
      connectors: Type.Object({
        total: Type.Integer(),
        offline: Type.Integer({
          description:
            'those of charge points that are not connected now, and those that no status was ever reported of',
        }),
        by_status: counts(connectorStatuses),
      }),
      active_sessions: Type.Integer(),
      power_kw: Type.Number(),
      updated_at: timestamp(),
    }),
  },
  sheddable: 'list',
  handle({ principal }, services) {
    const view = services.view()
    const { organization_id } = principal.organization
    const { live } = services.presence
    const total = view.total(chargePointsTable, 'byOrganization', [organization_id])
    const byStatus = Object.fromEntries(
      chargePointStatuses.map((status) => [
        status,
        status === 'offline' ? 0 : onlineTotal(view, organization_id, status, live),
      ]),
    )
    const online = sum(byStatus)
    const offline = Math.max(0, total - online)
    const liveConnectors = Object.fromEntries(
      connectorStatuses.map((status) => [status, connectorsTotal(view, organization_id, status, live)]),
    )
    const connectors =
      view.total(chargePointsTable, 'declaredConnectors', [organization_id]) +
      view.total(chargePointStatesTable, 'undeclaredConnectors', [organization_id])
    return {
      status: 200,
      body: {
        total,
        online,
        offline,
        by_status: { ...byStatus, offline },
        connectors: { total: connectors, offline: connectors - sum(liveConnectors), by_status: liveConnectors },
        active_sessions: view.total(sessionsTable, 'startsByStatus', [organization_id, 'active']),
        power_kw: wattsTotal(view, organization_id, live) / 1_000,
        updated_at: formatTimestamp(services.clock.now()),
      },
    }
  },
})

function sum(numbers: Readonly<Record<string, number>>): number {
  return Object.values(numbers).reduce((total, number) => total + number, 0)
}

export const fleetRoutes = [fleetSummary]
