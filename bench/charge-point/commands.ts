// How a simulated charge point answers what the central system asks of it (OCPP 1.6, 5): one handler per action.
// A handler returns the answer; what has to happen once the answer is out goes through `later`.

import { CallError, type Payload } from './call-channel.js'
import { type ChargingProfiles, chargingProfile } from './charging-profiles.js'
import type { Configuration } from './configuration.js'
import type { Connector, Connectors } from './connectors.js'
import { createLocalList } from './local-list.js'
import type { Outbox } from './outbox.js'

export interface CommandContext {
  readonly configuration: Configuration
  readonly profiles: ChargingProfiles
  readonly connectors: Connectors
  readonly outbox: Outbox
  readonly vendor: string
  /** Wall time, ms. */
  readonly now: () => number
  /** Accepted by the central system; while Pending no transaction may be started from afar (OCPP 1.6, 4.2). */
  readonly accepted: () => boolean
  /** Runs once the answer to the command in hand has been sent. */
  readonly later: (task: () => void) => void
  readonly boot: () => void
  readonly heartbeat: () => void
  readonly reset: (hard: boolean) => void
  readonly credentialsChanged: (key: string) => void
  readonly updateFirmware: (location: string, retrieveAt: number, signedRequestId?: number) => void
  readonly uploadDiagnostics: (logRequestId?: number) => void
  readonly firmwareStatus: () => string
  readonly signCertificate: () => void
}

export type CommandHandler = (payload: Payload) => Payload

export function integer(payload: Payload, name: string): number {
  const value = payload[name]
  if (value === undefined) throw new CallError('OccurenceConstraintViolation', name)
  if (!Number.isInteger(value)) throw new CallError('TypeConstraintViolation', name)
  return value as number
}

export function text(payload: Payload, name: string): string {
  const value = payload[name]
  if (value === undefined) throw new CallError('OccurenceConstraintViolation', name)
  if (typeof value !== 'string') throw new CallError('TypeConstraintViolation', name)
  return value
}

/** Sends the message that a trigger asks for; undefined when this charge point has no such message. */
export function trigger(context: CommandContext, payload: Payload): string {
  const { connectors, outbox } = context
  const connectorId = payload.connectorId === undefined ? undefined : integer(payload, 'connectorId')
  if (connectorId !== undefined && connectorId > 0 && !connectors.find(connectorId)) return 'Rejected'
  const messages: Readonly<Record<string, () => void>> = {
    BootNotification: context.boot,
    Heartbeat: context.heartbeat,
    StatusNotification: () =>
      connectorId === undefined ? connectors.sendStatuses(true) : connectors.sendStatus(connectorId, true),
    MeterValues() {
      for (const connector of connectors.all) {
        if (connectorId === undefined || connector.id === connectorId) connectors.sendMeterValues(connector, 'Trigger')
      }
    },
    DiagnosticsStatusNotification: () =>
      outbox.urgent({ action: 'DiagnosticsStatusNotification', payload: () => ({ status: 'Idle' }) }),
    FirmwareStatusNotification: () =>
      outbox.urgent({ action: 'FirmwareStatusNotification', payload: () => ({ status: context.firmwareStatus() }) }),
  }
  const message = messages[text(payload, 'requestedMessage')]
  if (message === undefined) return 'NotImplemented'
  context.later(message)
  return 'Accepted'
}

export function createCommands(context: CommandContext): Readonly<Record<string, CommandHandler>> {
  const { configuration, connectors, profiles } = context
  const localList = createLocalList()

  function connectorOf(payload: Payload): Connector | undefined {
    const connectorId = integer(payload, 'connectorId')
    if (connectorId < 0) throw new CallError('PropertyConstraintViolation', 'connectorId')
    return connectors.find(connectorId)
  }

  function remoteStart(payload: Payload): Payload {
    const idTag = text(payload, 'idTag')
    const wanted = payload.connectorId === undefined ? undefined : connectorOf(payload)
    if (payload.connectorId !== undefined && wanted === undefined) return { status: 'Rejected' }
    const free = (one: Connector): boolean =>
      one.transaction === undefined &&
      (one.status === 'Available' || one.status === 'Finishing' || one.reservation?.idTag === idTag)
    const connector = wanted ?? connectors.all.find(free)
    if (!connector || !free(connector) || !context.accepted()) return { status: 'Rejected' }
    if (payload.chargingProfile !== undefined) profiles.set(connector.id, chargingProfile(payload.chargingProfile))
    context.later(() => connectors.start(connector.id, idTag, true))
    return { status: 'Accepted' }
  }

  return {
    RemoteStartTransaction: remoteStart,
    RemoteStopTransaction(payload) {
      const connector = connectors.byTransaction(integer(payload, 'transactionId'))
      if (!connector) return { status: 'Rejected' }
      context.later(() => connectors.stop(connector.id, 'Remote'))
      return { status: 'Accepted' }
    },
    Reset(payload) {
      const hard = text(payload, 'type') === 'Hard'
      context.later(() => context.reset(hard))
      return { status: 'Accepted' }
    },
    ChangeAvailability(payload) {
      const connector = connectorOf(payload)
      if (payload.connectorId !== 0 && !connector) return { status: 'Rejected' }
      const operative = text(payload, 'type') === 'Operative'
      const running = connector ? connector.transaction : connectors.all.some((one) => one.transaction)
      context.later(() => connectors.changeAvailability(connector?.id ?? 0, operative))
      return { status: running ? 'Scheduled' : 'Accepted' }
    },
    ChangeConfiguration(payload) {
      const key = text(payload, 'key')
      const value = text(payload, 'value')
      const status = configuration.change(key, value)
      if (status === 'Accepted' && key.toLowerCase() === 'authorizationkey') {
        context.later(() => context.credentialsChanged(value))
      }
      return { status }
    },
    GetConfiguration: (payload) => configuration.read(payload.key as readonly string[] | undefined),
    ClearCache: () => ({ status: 'Accepted' }),
    DataTransfer(payload) {
      if (text(payload, 'vendorId') !== context.vendor) return { status: 'UnknownVendorId' }
      if (payload.messageId !== 'echo') return { status: 'UnknownMessageId' }
      return { status: 'Accepted', ...(payload.data === undefined ? {} : { data: String(payload.data) }) }
    },
    UnlockConnector(payload) {
      const connector = connectorOf(payload)
      if (!connector) return { status: 'NotSupported' }
      context.later(() => connectors.stop(connector.id, 'UnlockCommand'))
      return { status: 'Unlocked' }
    },
    TriggerMessage: (payload) => ({ status: trigger(context, payload) }),
    SetChargingProfile(payload) {
      const connector = connectorOf(payload)
      if (payload.connectorId !== 0 && !connector) return { status: 'Rejected' }
      const profile = chargingProfile(payload.csChargingProfiles)
      const purpose = profile.chargingProfilePurpose
      const wrong =
        (purpose === 'ChargePointMaxProfile' && connector !== undefined) ||
        (purpose === 'TxProfile' && connector?.transaction === undefined) ||
        (profile.transactionId !== undefined && profile.transactionId !== connector?.transaction?.id) ||
        profile.stackLevel > configuration.integer('ChargeProfileMaxStackLevel')
      if (wrong) return { status: 'Rejected' }
      profiles.set(connector?.id ?? 0, profile)
      context.later(connectors.applyLimits)
      return { status: 'Accepted' }
    },
    ClearChargingProfile(payload) {
      const cleared = profiles.clear(payload)
      context.later(connectors.applyLimits)
      return { status: cleared > 0 ? 'Accepted' : 'Unknown' }
    },
    GetCompositeSchedule(payload) {
      const connector = connectorOf(payload)
      const duration = integer(payload, 'duration')
      if (payload.connectorId !== 0 && !connector) return { status: 'Rejected' }
      const startedAt = connector?.transaction?.startedAt
      const watts = profiles.limitWatts(connector?.id ?? 0, context.now(), startedAt, 1)
      const unit = payload.chargingRateUnit === 'A' ? 'A' : 'W'
      const bounded = Math.min(watts, 43_000)
      const limit = Math.floor((unit === 'A' ? bounded / (230 * 3) : bounded) * 10) / 10
      return {
        status: 'Accepted',
        connectorId: connector?.id ?? 0,
        scheduleStart: new Date(context.now()).toISOString(),
        chargingSchedule: { duration, chargingRateUnit: unit, chargingSchedulePeriod: [{ startPeriod: 0, limit }] },
      }
    },
    ReserveNow(payload) {
      const connector = connectorOf(payload)
      const reservationId = integer(payload, 'reservationId')
      const idTag = text(payload, 'idTag')
      const expiresInMs = Date.parse(text(payload, 'expiryDate')) - context.now()
      if (!connector || !(expiresInMs > 0)) return { status: 'Rejected' }
      if (connector.status === 'Faulted' || connector.status === 'Unavailable') return { status: connector.status }
      const replaces = connector.reservation?.id === reservationId
      if (connector.status !== 'Available' && !replaces) return { status: 'Occupied' }
      context.later(() => connectors.reserve(connector, reservationId, idTag, expiresInMs))
      return { status: 'Accepted' }
    },
    CancelReservation(payload) {
      const reservationId = integer(payload, 'reservationId')
      const known = connectors.all.some((connector) => connector.reservation?.id === reservationId)
      context.later(() => connectors.cancelReservation(reservationId))
      return { status: known ? 'Accepted' : 'Rejected' }
    },
    SendLocalList: (payload) => ({
      status: localList.update(integer(payload, 'listVersion'), text(payload, 'updateType'), payload),
    }),
    GetLocalListVersion: () => ({ listVersion: localList.version() }),
    GetDiagnostics(payload) {
      text(payload, 'location')
      context.later(() => context.uploadDiagnostics())
      return { fileName: `diagnostics-${context.now()}.log` }
    },
    UpdateFirmware(payload) {
      const location = text(payload, 'location')
      const retrieveAt = Date.parse(text(payload, 'retrieveDate'))
      context.later(() => context.updateFirmware(location, retrieveAt))
      return {}
    },
  }
}
