// Raw OCPP 1.6 commands: one route per action, and send_command for any. They answer with what the charge point
// answered, a refusal included; that the charge point could not be asked is an error.

import { Type } from 'typebox'
import { chargingProfile, readTimestamp, writeTimestamp } from '../../../ocpp16/index.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import { connectorCount } from '../../../records/connector-count.js'
import { sessionsTable } from '../../../records/session.js'
import { type AmpshardError, conflict, validationError } from '../../../runtime/errors.js'
import {
  anyObject,
  chargePointId,
  connectorId,
  idTagText,
  integer32,
  nullable,
  timestamp,
} from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { stateOf } from '../charge-points/charge-points.js'
import { checked } from './checked-call.js'
import { defineRaw } from './define-raw.js'
import { invalidCommand } from './errors.js'

const sessionScopes = ['write:charge_points', 'write:commands', 'write:sessions'] as const

function invalid(path: string, message: string): AmpshardError {
  return validationError(`${path} ${message}`, { details: [{ path, message }] })
}

const sendCommand = defineRaw({
  name: 'send_command',
  operationId: 'sendOcppCommand',
  summary: 'Send any OCPP 1.6 action',
  description:
    'An AuthorizationKey that is set by ChangeConfiguration becomes the password of the charge point; the one before stays good until the charge point has logged in with the new one.',
  errors: [invalidCommand, conflict],
  body: Type.Object({
    charge_point_id: chargePointId(),
    command: Type.String({ description: 'the OCPP action, in its exact spelling' }),
    payload: anyObject("checked against the action's OCPP 1.6 schema"),
  }),
  extra: Type.Object({
    command: Type.String(),
    response: nullable(Type.Unknown()),
    response_time_ms: nullable(Type.Integer()),
  }),
  call: ({ command, payload }) => checked({ action: command, payload }),
  extraFields: ({ command }, { record }) => ({
    command,
    response: record.charge_point_response,
    response_time_ms: record.response_time_ms,
  }),
  example: { charge_point_id: 'CP-1', command: 'GetConfiguration', payload: { key: ['HeartbeatInterval'] } },
})

const remoteStartTransaction = defineRaw({
  name: 'remote_start_transaction',
  operationId: 'remoteStartTransaction',
  summary: 'Ask a charge point to start a transaction (RemoteStartTransaction)',
  scopes: sessionScopes,
  body: Type.Object({
    charge_point_id: chargePointId(),
    id_tag: idTagText(),
    connector_id: Type.Optional(connectorId(1)),
    charging_profile: Type.Optional(chargingProfile),
  }),
  extra: Type.Object({
    connector_id: nullable(
      Type.Integer({ description: 'the connector that was asked for; null where the charge point is to choose' }),
    ),
    id_tag: Type.String(),
  }),
  call({ id_tag, connector_id, charging_profile }, chargePoint, services) {
    // Some charge points refuse to choose, also where there is nothing to choose from.
    const count = connectorCount(chargePoint, stateOf(services.view(), chargePoint))
    const connector = connector_id ?? (count === 1 ? 1 : undefined)
    const payload = {
      idTag: id_tag,
      ...(connector === undefined ? {} : { connectorId: connector }),
      ...(charging_profile === undefined ? {} : { chargingProfile: charging_profile }),
    }
    return checked({ action: 'RemoteStartTransaction', payload }, { chargingProfile: 'charging_profile' })
  },
  // Also where it is the only one, and nobody named it.
  extraFields: ({ id_tag }, { record }) => ({ connector_id: record.parameters.connectorId ?? null, id_tag }),
  example: { charge_point_id: 'CP-1', id_tag: 'TAG-1', connector_id: 1 },
})

const remoteStopTransaction = defineRaw({
  name: 'remote_stop_transaction',
  operationId: 'remoteStopTransaction',
  summary: 'Ask a charge point to stop a transaction (RemoteStopTransaction)',
  scopes: sessionScopes,
  body: Type.Object({ charge_point_id: chargePointId(), transaction_id: integer32() }),
  extra: Type.Object({ transaction_id: Type.Integer() }),
  call: ({ transaction_id }) => ({ action: 'RemoteStopTransaction', payload: { transactionId: transaction_id } }),
  extraFields: ({ transaction_id }) => ({ transaction_id }),
  example: { charge_point_id: 'CP-1', transaction_id: 42 },
})

const changeAvailability = defineRaw({
  name: 'change_availability',
  operationId: 'changeAvailability',
  summary: 'Put a connector into or out of service (ChangeAvailability)',
  body: Type.Object({
    charge_point_id: chargePointId(),
    connector_id: connectorId(0),
    type: Type.Enum(['Operative', 'Inoperative']),
  }),
  extra: Type.Object({ connector_id: Type.Integer(), type: Type.String() }),
  call: ({ connector_id, type }) => ({ action: 'ChangeAvailability', payload: { connectorId: connector_id, type } }),
  extraFields: ({ connector_id, type }) => ({ connector_id, type }),
  example: { charge_point_id: 'CP-1', connector_id: 0, type: 'Inoperative' },
})

const setChargingProfile = defineRaw({
  name: 'set_charging_profile',
  operationId: 'setChargingProfile',
  summary: 'Install a charging profile (SetChargingProfile)',
  body: Type.Object({
    charge_point_id: chargePointId(),
    connector_id: connectorId(0),
    charging_profile: chargingProfile,
  }),
  extra: Type.Object({ connector_id: Type.Integer(), charging_profile_id: Type.Integer() }),
  call({ connector_id, charging_profile }, chargePoint, services) {
    const transactionId =
      charging_profile.chargingProfilePurpose === 'TxProfile'
        ? (charging_profile.transactionId ?? onlyTransaction(chargePoint, connector_id, services))
        : undefined
    const profile = { ...charging_profile, ...(transactionId === undefined ? {} : { transactionId }) }
    return checked(
      { action: 'SetChargingProfile', payload: { connectorId: connector_id, csChargingProfiles: profile } },
      { connectorId: 'connector_id', csChargingProfiles: 'charging_profile' },
    )
  },
  extraFields: ({ connector_id, charging_profile }) => ({
    connector_id,
    charging_profile_id: charging_profile.chargingProfileId,
  }),
  example: {
    charge_point_id: 'CP-1',
    connector_id: 1,
    charging_profile: {
      chargingProfileId: 7,
      stackLevel: 0,
      chargingProfilePurpose: 'TxDefaultProfile',
      chargingProfileKind: 'Relative',
      chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
    },
  },
})

/** A TxProfile names its transaction (OCPP 1.6, 5.16): the one that runs on the connector, where there is just one. */
function onlyTransaction(chargePoint: ChargePoint, connector: number, services: Services): number | undefined {
  const group = [chargePoint.organization_id, chargePoint.charge_point_id]
  const active = services
    .view()
    .listBy(sessionsTable, 'activeAtChargePoint', group, { limit: 100 })
    .filter((session) => session.connector_id === connector)
  return active.length === 1 ? active[0]?.transaction_id : undefined
}

const clearChargingProfile = defineRaw({
  name: 'clear_charging_profile',
  operationId: 'clearChargingProfile',
  summary: 'Remove charging profiles by id or by filters (ClearChargingProfile)',
  body: Type.Object({
    charge_point_id: chargePointId(),
    id: Type.Optional(integer32()),
    connector_id: Type.Optional(connectorId(0)),
    charging_profile_purpose: Type.Optional(Type.Enum(['ChargePointMaxProfile', 'TxDefaultProfile', 'TxProfile'])),
    stack_level: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
  }),
  extra: Type.Object({}),
  call: ({ id, connector_id, charging_profile_purpose, stack_level }) => ({
    action: 'ClearChargingProfile',
    payload: {
      ...(id === undefined ? {} : { id }),
      ...(connector_id === undefined ? {} : { connectorId: connector_id }),
      ...(charging_profile_purpose === undefined ? {} : { chargingProfilePurpose: charging_profile_purpose }),
      ...(stack_level === undefined ? {} : { stackLevel: stack_level }),
    },
  }),
  extraFields: () => ({}),
  example: { charge_point_id: 'CP-1', id: 7 },
})

const reset = defineRaw({
  name: 'reset',
  operationId: 'resetChargePoint',
  summary: 'Restart a charge point (Reset)',
  body: Type.Object({ charge_point_id: chargePointId(), type: Type.Enum(['Soft', 'Hard']) }),
  extra: Type.Object({ type: Type.String() }),
  call: ({ type }) => ({ action: 'Reset', payload: { type } }),
  extraFields: ({ type }) => ({ type }),
  example: { charge_point_id: 'CP-1', type: 'Soft' },
})

const triggerMessage = defineRaw({
  name: 'trigger_message',
  operationId: 'triggerMessage',
  summary: 'Ask a charge point to send a message now (TriggerMessage)',
  body: Type.Object({
    charge_point_id: chargePointId(),
    requested_message: Type.Enum([
      'BootNotification',
      'DiagnosticsStatusNotification',
      'FirmwareStatusNotification',
      'Heartbeat',
      'MeterValues',
      'StatusNotification',
    ]),
    connector_id: Type.Optional(connectorId(0)),
  }),
  extra: Type.Object({ requested_message: Type.String() }),
  call({ requested_message, connector_id }) {
    if (
      connector_id === undefined &&
      (requested_message === 'MeterValues' || requested_message === 'StatusNotification')
    )
      throw invalid('/connector_id', `is required for ${requested_message}`)
    return {
      action: 'TriggerMessage',
      payload: {
        requestedMessage: requested_message,
        ...(connector_id === undefined ? {} : { connectorId: connector_id }),
      },
    }
  },
  extraFields: ({ requested_message }) => ({ requested_message }),
  example: { charge_point_id: 'CP-1', requested_message: 'StatusNotification', connector_id: 1 },
})

const reserveNow = defineRaw({
  name: 'reserve_now',
  operationId: 'reserveNow',
  summary: 'Reserve a connector for an id tag (ReserveNow)',
  description:
    'An accepted reservation is in `GET /api/v1/reservations`, under the number that you chose, and is kept from other tags like any other. Under a number that the charge point knows already it replaces the reservation before; the number of an active reservation of `POST /api/v1/reservations` is refused. Connector 0 is any connector, where the charge point supports it.',
  errors: [conflict],
  body: Type.Object({
    charge_point_id: chargePointId(),
    connector_id: connectorId(0),
    expiry_date: timestamp(),
    id_tag: idTagText(),
    reservation_id: integer32(),
    parent_id_tag: Type.Optional(idTagText()),
  }),
  extra: Type.Object({ connector_id: Type.Integer(), reservation_id: Type.Integer(), expires_at: timestamp() }),
  call: ({ connector_id, expiry_date, id_tag, reservation_id, parent_id_tag }) => ({
    action: 'ReserveNow',
    payload: {
      connectorId: connector_id,
      expiryDate: writeTimestamp(readTimestamp(expiry_date) ?? 0),
      idTag: id_tag,
      ...(parent_id_tag === undefined ? {} : { parentIdTag: parent_id_tag }),
      reservationId: reservation_id,
    },
  }),
  extraFields: ({ connector_id, reservation_id, expiry_date }) => ({
    connector_id,
    reservation_id,
    expires_at: new Date(readTimestamp(expiry_date) ?? 0).toISOString(),
  }),
  example: {
    charge_point_id: 'CP-1',
    connector_id: 1,
    expiry_date: '2030-01-01T12:00:00Z',
    id_tag: 'TAG-1',
    reservation_id: 5,
  },
})

const cancelReservation = defineRaw({
  name: 'cancel_reservation',
  operationId: 'cancelOcppReservation',
  summary: 'Cancel a reservation (CancelReservation)',
  description:
    'The reservation of that number is cancelled in `GET /api/v1/reservations`, too, once the charge point has answered.',
  body: Type.Object({ charge_point_id: chargePointId(), reservation_id: integer32() }),
  extra: Type.Object({ reservation_id: Type.Integer() }),
  call: ({ reservation_id }) => ({ action: 'CancelReservation', payload: { reservationId: reservation_id } }),
  extraFields: ({ reservation_id }) => ({ reservation_id }),
  example: { charge_point_id: 'CP-1', reservation_id: 5 },
})

export const rawCommandRoutes = [
  sendCommand,
  remoteStartTransaction,
  remoteStopTransaction,
  changeAvailability,
  setChargingProfile,
  clearChargingProfile,
  reset,
  triggerMessage,
  reserveNow,
  cancelReservation,
]
