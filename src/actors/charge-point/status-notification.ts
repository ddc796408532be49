// StatusNotification: what a connector is doing (OCPP 1.6, 4.9). State goes by arrival; every order of statuses is taken.

import { chargePointFault, chargePointStatusChanged } from '../../events/charge-point.js'
import { emit } from '../../events/define-event.js'
import { statusNotification as message, type StatusNotificationRequest } from '../../ocpp16/index.js'
import type { ConnectorState } from '../../records/charge-point-state.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { noteFault } from './alerts.js'
import { isAssumed, withoutAssumption } from './assumed-charging.js'
import { clockSkewSeconds, judgeTime } from './clock-skew.js'
import { noteClock } from './clock-watch.js'
import { reportedOnRequest } from './commissioning.js'
import { noteViolation } from './conformance.js'
import { hasPlaceForStatus, isPlausibleConnector, noteConnector } from './named-connectors.js'
import { awaitStop } from './provisional-close.js'
import { defineHandler } from './request-handler.js'
import { endReservationsOf } from './reservations.js'
import { updateCost } from './running-cost.js'
import { withStatus } from './session-statuses.js'
import { openOnConnector } from './sessions.js'
import { aboutChargePoint, replaceSession, type State, saveRow } from './state.js'
import { countLeftOut } from './statistics.js'

export const statusNotification = defineHandler({
  message,
  needs: 'Pending',
  handle(state, request, context, receivedAt) {
    if (!isPlausibleConnector(state, request.connectorId) || !hasPlaceForStatus(state, request.connectorId)) {
      noteViolation(state, { rule: 'implausible-connector', path: '/connectorId' })
      countLeftOut('connector')
      return { response: {} }
    }
    const reported = reportedOnRequest(state, message.action, request.connectorId, context)
    const named = noteConnector(state, request.connectorId, context)
    const before = state.row.connectors.find((connector) => connector.connector_id === request.connectorId)
    const after = connectorState(request, receivedAt)
    const told =
      before !== undefined &&
      before.status === after.status &&
      before.error_code === after.error_code &&
      before.vendor_error_code === after.vendor_error_code &&
      before.info === after.info
    // A fault that a former version has stored is not watched yet.
    const known = told && !isAssumed(state.row, request.connectorId)
    const unchanged = known && noteFault(state, after, context).watches === undefined
    const noted = noteInSession(state, after, receivedAt, context)
    const awaited = awaitStop(state, after, context)
    const time = { timestamp: request.timestamp, repeated: told }
    if (unchanged && awaited.length === 0)
      return {
        response: {},
        effects: [...named, ...noted, ...noteClock(state, time, receivedAt, context), ...reported],
      }
    const others = state.row.connectors.filter((connector) => connector.connector_id !== request.connectorId)
    const connectors = [...others, after].sort((a, b) => a.connector_id - b.connector_id)
    return {
      response: {},
      effects: [
        ...named,
        // Before the row below, which takes along what is noted.
        ...noteClock(state, time, receivedAt, context),
        saveRow(
          state,
          {
            connectors,
            ...withoutAssumption(state.row, request.connectorId),
            ...skew(state, request, receivedAt),
            ...noteFault(state, after, context),
          },
          context,
        ),
        ...eventsOf(state, before, after, context),
        ...noted,
        ...awaited,
        ...endReservationsOf(state, after, context),
        ...reported,
      ],
    }
  },
})

/** Of the session on the connector it is a part: what it does to the cost is told as a meter value's is. */
function noteInSession(
  state: State,
  connector: ConnectorState,
  receivedAt: number,
  context: Context,
): readonly Effect[] {
  const session = openOnConnector(state, connector.connector_id)
  const noted = session === undefined ? undefined : withStatus(session, connector, receivedAt)
  if (noted === undefined) return []
  return [replaceSession(state, noted), ...updateCost(state, noted, context)]
}

/** Statuses come right after a boot, when a wrong clock shows; one that is right again clears the note. */
function skew(state: State, request: StatusNotificationRequest, receivedAt: number): { clock_skew_seconds?: number } {
  const seconds = clockSkewSeconds(request.timestamp, receivedAt)
  if (seconds !== undefined) return { clock_skew_seconds: seconds }
  return state.row.clock_skew_seconds === undefined || request.timestamp === undefined ? {} : { clock_skew_seconds: 0 }
}

function connectorState(request: StatusNotificationRequest, receivedAt: number): ConnectorState {
  return {
    connector_id: request.connectorId,
    status: request.status,
    error_code: request.errorCode,
    info: request.info ?? null,
    timestamp: new Date(judgeTime(request.timestamp, receivedAt).at).toISOString(),
    ...(request.vendorErrorCode !== undefined && { vendor_error_code: request.vendorErrorCode }),
  }
}

function eventsOf(state: State, before: ConnectorState | undefined, after: ConnectorState, context: Context): Effect[] {
  const about = aboutChargePoint(state, context)
  const data = {
    charge_point_id: context.id,
    connector_id: after.connector_id,
    status: after.status,
    previous_status: before?.status ?? null,
    error_code: after.error_code,
    ...(after.vendor_error_code !== undefined && { vendor_error_code: after.vendor_error_code }),
    info: after.info,
    timestamp: after.timestamp,
  }
  const effects: Effect[] = []
  if (before?.status !== after.status) effects.push(emit(chargePointStatusChanged, about, data))
  // OtherError and InternalError say nothing by themselves: the vendor's code is the fault then.
  const sameFault = before?.error_code === after.error_code && before.vendor_error_code === after.vendor_error_code
  if (after.error_code !== 'NoError' && !sameFault) effects.push(emit(chargePointFault, about, data))
  return effects
}
