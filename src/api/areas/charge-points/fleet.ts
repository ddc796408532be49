// The fleet at a glance: read from totals that the store keeps, never by counting rows.

import { type Static, Type } from 'typebox'
import { connectorStatuses } from '../../../ocpp16/schemas/connector-status.js'
import { chargePointsTable } from '../../../records/charge-point.js'
import { chargePointStatesTable, chargePointStatuses } from '../../../records/charge-point-state.js'
import { connectorsTotal, type LiveNodes, onlineTotal, wattsTotal } from '../../../records/presence.js'
import { sessionsTable } from '../../../records/session.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { area } from './area.js'

const counts = (names: readonly string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Integer({ minimum: 0 })])))

export const fleetSummarySchema = named('FleetSummary', {
  total: Type.Integer(),
  online: Type.Integer(),
  offline: Type.Integer(),
  by_status: counts(chargePointStatuses),
  connectors: Type.Object({
    total: Type.Integer(),
    offline: Type.Integer({
      description: 'The connectors of charge points that are not connected, and those whose status was never reported.',
    }),
    by_status: counts(connectorStatuses),
  }),
  active_sessions: Type.Integer(),
  power_kw: Type.Number(),
  updated_at: timestamp(),
})

const fleetSummary = area.get('/cpo/fleet/summary', {
  operationId: 'getFleetSummary',
  summary: 'Count charge points, connectors, sessions and power',
  description:
    '`connectors.total` counts the connectors that operators have declared (`connector_count`), and those that charge points have named ' +
    'beyond that. `connectors.by_status` counts the statuses that connected charge points have reported; `connectors.offline` counts all ' +
    'other connectors.',
  answer: fleetSummarySchema,
  sheddable: 'list',
  read: ({ principal }, services) =>
    summaryOf(principal.organization.organization_id, {
      view: services.view(),
      live: services.presence.live,
      now: services.clock.now(),
    }),
})

/** Some twenty totals, whatever the size of the fleet. */
export function summaryOf(
  organization_id: string,
  { view, live, now }: { readonly view: ReadView; readonly live: LiveNodes; readonly now: number },
): Static<typeof fleetSummarySchema> {
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
    total,
    online,
    offline,
    by_status: { ...byStatus, offline },
    connectors: { total: connectors, offline: connectors - sum(liveConnectors), by_status: liveConnectors },
    active_sessions: view.total(sessionsTable, 'startsByStatus', [organization_id, 'active']),
    power_kw: wattsTotal(view, organization_id, live) / 1_000,
    updated_at: formatTimestamp(now),
  }
}

function sum(numbers: Readonly<Record<string, number>>): number {
  return Object.values(numbers).reduce((total, number) => total + number, 0)
}

export const fleetRoutes = [fleetSummary]
