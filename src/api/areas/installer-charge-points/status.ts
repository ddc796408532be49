// What a charge point does now, connector by connector, for as long as it is the installer's matter.

import { Type } from 'typebox'
import { connectorStatuses } from '../../../ocpp16/schemas/connector-status.js'
import type { InstalledChargePoint } from '../../../records/charge-point.js'
import { type ChargePointState, chargePointStatuses, outlets } from '../../../records/charge-point-state.js'
import { isHandedOver } from '../../../records/installer-status.js'
import { chargePointStatus } from '../../../records/presence.js'
import { sessionsTable } from '../../../records/session.js'
import { lastSeenAt } from '../../../records/sign-of-life.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { nullable, timestamp } from '../../pipeline/schemas.js'
import { stateOf } from '../charge-points/charge-points.js'
import { area, installerChargePoints } from './area.js'
import { limits } from './limits.js'

/** An organization has it, and it is commissioned. */
const handedOver = 'handed_over'

const getStatus = area.get('/{charge_point_id}/status', {
  operationId: 'getInstallerChargePointStatus',
  summary: 'Get the live status of a charge point and its connectors',
  description:
    'While the charge point is offline, the connectors have the statuses that it reported last. Once the handover is complete, `operational_status` is ' +
    '`handed_over`, and the connectors are no longer shown. Only your own sessions are named.',
  of: installerChargePoints,
  answer: Type.Object({
    charge_point_id: Type.String(),
    operational_status: Type.Enum([...chargePointStatuses, handedOver]),
    connectors: Type.Array(
      Type.Object({
        connector_id: Type.Integer(),
        status: Type.Enum([...connectorStatuses]),
        error_code: Type.String(),
        info: nullable(Type.String()),
        timestamp: timestamp(),
        active_transaction_id: Type.Optional(Type.String()),
      }),
    ),
    last_updated_at: nullable(timestamp()),
  }),
  read({ row }, services) {
    const view = services.view()
    const { charge_point_id } = row
    if (isHandedOver(row))
      return { charge_point_id, operational_status: handedOver, connectors: [], last_updated_at: null }
    const state = stateOf(view, row)
    return {
      charge_point_id,
      operational_status: chargePointStatus(state, services.presence.live),
      connectors: state === undefined ? [] : connectorsOf(row, state, view),
      last_updated_at: (state && lastSeenAt(view, state)) ?? null,
    }
  },
})

function connectorsOf({ charge_point_id, installed }: InstalledChargePoint, state: ChargePointState, view: ReadView) {
  const group = [installed.installer_id, charge_point_id]
  const query = { limit: limits.runningSessionsShown }
  const running = view.listBy(sessionsTable, 'activeAtChargePoint', group, query)
  return outlets(state).map(({ connector_id, status, error_code, info, timestamp }) => {
    const session = running.find((one) => one.connector_id === connector_id)
    return {
      connector_id,
      status,
      error_code,
      info,
      timestamp,
      ...(session !== undefined && { active_transaction_id: String(session.transaction_id) }),
    }
  })
}

export const statusRoutes = [getStatus]
