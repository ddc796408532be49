// The live status of charge points, connector by connector.

import { Type } from 'typebox'
import { connectorStatuses } from '../../../ocpp16/schemas/connector-status.js'
import { type ChargePoint, chargePointsTable } from '../../../records/charge-point.js'
import { type ChargePointState, chargePointStatesTable, outlets } from '../../../records/charge-point-state.js'
import { isOnline, type LiveNodes, listsByConnectorStatus } from '../../../records/presence.js'
import { lastSeenAt } from '../../../records/sign-of-life.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { type List, readFilteredPage, readPage, readPageOfAll } from '../../pipeline/paging.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { area } from './area.js'
import { stateOf } from './charge-points.js'
import { siteFinder } from './site-of.js'

const statusEntry = named('ConnectorStatus', {
  charge_point_id: Type.String(),
  site_id: nullable(Type.String({ description: 'The site that the charge point is in; null where it is in none.' })),
  online: Type.Boolean(),
  last_heartbeat_at: nullable(timestamp()),
  connectors: Type.Array(
    Type.Object({
      connector_id: Type.Integer(),
      status: Type.Enum([...connectorStatuses]),
      error_code: Type.String(),
      info: nullable(Type.String()),
      timestamp: timestamp(),
    }),
  ),
})

function statusView(
  chargePointId: string,
  siteId: string | null | undefined,
  state: ChargePointState | undefined,
  view: ReadView,
  live: LiveNodes,
) {
  return {
    charge_point_id: chargePointId,
    site_id: siteId ?? null,
    online: isOnline(state, live),
    last_heartbeat_at: (state && lastSeenAt(view, state)) ?? null,
    connectors: (state === undefined ? [] : outlets(state)).map(
      ({ connector_id, status, error_code, info, timestamp }) => ({
        connector_id,
        status,
        error_code,
        info,
        timestamp,
      }),
    ),
  }
}

const listStatus = area.list('/ocpp16/charge_points/status', {
  operationId: 'listChargePointStatus',
  summary: 'List the live status of charge points and their connectors',
  description:
    'With `status`, returns only charge points that are connected and have a connector with that status. For a charge point that is offline ' +
    '(`online` is false), returns the statuses that it reported last. A connector with a running transaction is Charging, unless a newer ' +
    'status was reported.',
  filters: {
    status: Type.Optional(
      Type.Enum([...connectorStatuses], {
        description: 'Returns only charge points that have a connector with this status.',
      }),
    ),
    site_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Returns only charge points of this site.' }),
    ),
  },
  name: 'charge_points',
  row: statusEntry,
  perPage: 50,
  maximum: 200,
  async read({ principal, query }, services) {
    const view = services.view()
    const { organization_id } = principal.organization
    const { live } = services.presence
    const { status, site_id } = query
    if (status !== undefined && site_id === undefined) {
      const lists = listsByConnectorStatus(organization_id, status, live)
      const { rows, total } = readPageOfAll({ view, table: chargePointStatesTable, lists, query })
      const siteOf = siteFinder(view, organization_id)
      const charge_points = rows.map((state) =>
        statusView(state.charge_point_id, siteOf(state.charge_point_id), state, view, live),
      )
      return { rows: charge_points, total }
    }
    const list: List =
      site_id === undefined
        ? { index: 'byOrganization', group: [organization_id] }
        : { index: 'bySite', group: [organization_id, site_id] }
    const options = { view, table: chargePointsTable, list, query }
    const keep = (row: ChargePoint): boolean => has(stateOf(view, row), status, live)
    const begin = services.longReads.of(organization_id)
    const { rows, total } =
      status === undefined ? readPage(options) : await readFilteredPage({ ...options, begin, keep })
    const charge_points = rows.map((row) =>
      statusView(row.charge_point_id, row.site_id, stateOf(view, row), view, live),
    )
    return { rows: charge_points, total }
  },
})

/** It is connected, and a connector of it has the status. */
function has(state: ChargePointState | undefined, status: string | undefined, live: LiveNodes): boolean {
  return state !== undefined && isOnline(state, live) && outlets(state).some((connector) => connector.status === status)
}

export const chargePointStatusRoutes = [listStatus]
