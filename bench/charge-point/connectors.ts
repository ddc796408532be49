// The connectors of a charge point and the transactions on them: statuses, metering, starting and stopping
// (OCPP 1.6, 3.6, 4.7, 4.8, 4.10). It puts messages into the outbox and never touches the connection.

import type { Payload } from './call-channel.js'
import type { ChargingProfiles } from './charging-profiles.js'
import type { Clock } from './clock.js'
import type { Configuration } from './configuration.js'
import { meterValue, type SampleContext } from './meter-value.js'
import type { Outbox } from './outbox.js'
import type { Register } from './register.js'
import type { Timetable, TimetableEntry } from './timetable.js'
import { meterValuesMessage, type StopReason, startMessage, stopMessage } from './transaction-messages.js'
import type { Vehicle } from './vehicle.js'

export type ConnectorStatus =
  | 'Available'
  | 'Preparing'
  | 'Charging'
  | 'SuspendedEVSE'
  | 'SuspendedEV'
  | 'Finishing'
  | 'Reserved'
  | 'Unavailable'
  | 'Faulted'

export interface Transaction {
  /** Undefined until StartTransaction has been answered. */
  id: number | undefined
  readonly idTag: string
  readonly startedAt: number
  readonly vehicle: Vehicle
  /** What had flowed through the register before it, Wh. */
  readonly totalBefore: number
  stopping: boolean
}

export interface Reservation {
  readonly id: number
  readonly idTag: string
  readonly expiry: TimetableEntry
}

export interface Connector {
  readonly id: number
  status: ConnectorStatus
  errorCode: string
  operative: boolean
  readonly register: Register
  powerWatts: number
  /** Up to when its power has gone through the register, on the timetable's clock. */
  meteredAt: number
  transaction: Transaction | undefined
  reservation: Reservation | undefined
  /** The next sample, or the end of waiting for a vehicle. */
  timer: TimetableEntry | undefined
}

export interface ConnectorsOptions {
  readonly count: number
  /** The vehicle that is plugged in when a transaction begins. */
  readonly vehicleAt: (connectorId: number) => Vehicle
  readonly configuration: Configuration
  readonly profiles: ChargingProfiles
  readonly outbox: Outbox
  readonly timetable: Timetable
  readonly random: () => number
  readonly clock: Clock
  readonly registerOf: (connectorId: number) => Register
  readonly online: () => boolean
  readonly started: (connector: Connector, transactionId: number) => void
  readonly stopped: (connector: Connector, transaction: Transaction, reason: StopReason) => void
  /** A connector draws another power from now on. */
  readonly drew: (connector: Connector) => void
}

export interface Connectors {
  readonly all: readonly Connector[]
  find(connectorId: number): Connector | undefined
  byTransaction(transactionId: number): Connector | undefined
  /** A vehicle is plugged in and a tag presented, there or from afar. False when the connector cannot take it. */
  start(connectorId: number, idTag: string, remote: boolean): boolean
  /** False when no transaction is running there. */
  stop(connectorId: number, reason: StopReason): boolean
  stopAll(reason: StopReason): void
  /** A connector with a transaction changes once that has ended. */
  changeAvailability(connectorId: number, operative: boolean): void
  fault(connectorId: number, errorCode: string): void
  reserve(connector: Connector, reservationId: number, idTag: string, expiresInMs: number): void
  /** False when no connector has that reservation. */
  cancelReservation(reservationId: number): boolean
  /** Limits have changed: draws accordingly from now on. */
  applyLimits(): void
  /** What the limits leave to a connector now, on the phases of its vehicle; Infinity when nothing limits it. */
  limitWatts(connectorId: number): number
  /** What the vehicle of a connector has taken in its transaction. */
  takenWh(connectorId: number): number
  /** What was triggered goes out even while the central system has not accepted the charge point (OCPP 1.6, 4.2). */
  sendStatus(connectorId: number, triggered?: boolean): void
  sendStatuses(triggered?: boolean): void
  sendMeterValues(connector: Connector, context: SampleContext): void
  /** Stops every timer; the charge point is going away. */
  halt(): void
}

export function createConnectors(options: ConnectorsOptions): Connectors {
  const { configuration, outbox, timetable, random, clock } = options
  const controller = { operative: true }
  const all: Connector[] = Array.from({ length: options.count }, (_, index) => ({
    id: index + 1,
    status: 'Available',
    errorCode: 'NoError',
    operative: true,
    register: options.registerOf(index + 1),
    powerWatts: 0,
    meteredAt: timetable.now(),
    transaction: undefined,
    reservation: undefined,
    timer: undefined,
  }))
  const find = (connectorId: number): Connector | undefined => all[connectorId - 1]

  function sendStatus(connectorId: number, triggered = false): void {
    if (!options.online() && !triggered) return
    const connector = find(connectorId)
    const status = connector ? connector.status : controller.operative ? 'Available' : 'Unavailable'
    const errorCode = connector?.errorCode ?? 'NoError'
    const timestamp = clock.timestamp()
    const payload = (): Payload => ({ connectorId, errorCode, status, timestamp })
    if (triggered) outbox.urgent({ action: 'StatusNotification', payload })
    else outbox.ordinary({ action: 'StatusNotification', payload })
  }

  function setStatus(connector: Connector, status: ConnectorStatus): void {
    if (connector.status === status) return
    connector.status = status
    sendStatus(connector.id)
  }

  function meter(connector: Connector): void {
    const at = timetable.now()
    connector.register.flow((connector.powerWatts * (at - connector.meteredAt)) / 3_600_000)
    connector.meteredAt = at
  }

  function draw(connector: Connector, watts: number): void {
    if (connector.powerWatts === watts) return
    connector.powerWatts = watts
    options.drew(connector)
  }

  function limitWatts({ id, transaction }: Connector): number {
    const sharing = all.filter((other) => other.transaction !== undefined).length
    return options.profiles.limitWatts(id, clock.now(), transaction?.startedAt, sharing, transaction?.vehicle.phases)
  }

  function takenBy({ register }: Connector, { totalBefore }: Transaction): number {
    return register.total() - totalBefore
  }

  function applyLimit(connector: Connector): void {
    const transaction = connector.transaction
    meter(connector)
    if (!transaction || transaction.stopping || connector.status === 'Preparing') return
    const { vehicle } = transaction
    const taken = takenBy(connector, transaction)
    draw(connector, vehicle.drawWatts(limitWatts(connector), taken))
    const suspended = vehicle.drawWatts(Number.POSITIVE_INFINITY, taken) === 0 ? 'SuspendedEV' : 'SuspendedEVSE'
    setStatus(connector, connector.powerWatts === 0 ? suspended : 'Charging')
  }

  function sendMeterValues(connector: Connector, context: SampleContext): void {
    applyLimit(connector)
    const transaction = connector.transaction
    const { register, powerWatts } = connector
    const phases = transaction?.vehicle.phases ?? 3
    const value = meterValue(register.read(), powerWatts, phases, clock.timestamp(), context)
    const message = meterValuesMessage(connector.id, transaction, value)
    if (context === 'Trigger') outbox.urgent(message)
    else if (transaction) outbox.transaction(message)
    else if (options.online()) outbox.ordinary(message)
  }

  function sample(connector: Connector, delaySeconds: number): void {
    timetable.cancel(connector.timer)
    connector.timer = timetable.after(delaySeconds * 1000, () => {
      const interval = configuration.integer('MeterValueSampleInterval')
      if (connector.transaction && interval > 0) sendMeterValues(connector, 'Sample.Periodic')
      if (connector.transaction) sample(connector, interval > 0 ? interval : 60)
    })
  }

  /** Back to rest: the vehicle is gone. */
  function unplugged(connector: Connector): void {
    timetable.cancel(connector.timer)
    connector.timer = undefined
    setStatus(connector, connector.operative && controller.operative ? 'Available' : 'Unavailable')
  }

  function begin(connector: Connector, idTag: string): void {
    const reservation = connector.reservation
    timetable.cancel(reservation?.expiry)
    connector.reservation = undefined
    meter(connector)
    const transaction: Transaction = {
      id: undefined,
      idTag,
      startedAt: clock.now(),
      vehicle: options.vehicleAt(connector.id),
      totalBefore: connector.register.total(),
      stopping: false,
    }
    connector.transaction = transaction
    const started = {
      connectorId: connector.id,
      idTag,
      meterStart: connector.register.read(),
      timestamp: clock.timestamp(),
      ...(reservation ? { reservationId: reservation.id } : {}),
    }
    outbox.transaction(
      startMessage(transaction, started, (idTagStatus) => {
        if (transaction.id === undefined) return
        options.started(connector, transaction.id)
        if (connector.transaction !== transaction || transaction.stopping) return
        if (idTagStatus !== 'Accepted' && configuration.boolean('StopTransactionOnInvalidId')) {
          stop(connector.id, 'DeAuthorized')
        } else energize(connector)
      }),
    )
    // Spread over the interval, so that a fleet that starts together does not report together.
    sample(connector, Math.max(1, configuration.integer('MeterValueSampleInterval') * (0.2 + 0.8 * random())))
    if (!options.online()) energize(connector)
  }

  /** Energy flows only once the central system has answered, or when there is nobody to ask. */
  function energize(connector: Connector): void {
    if (connector.status === 'Preparing') setStatus(connector, 'Charging')
    applyLimit(connector)
  }

  function start(connectorId: number, idTag: string, remote: boolean): boolean {
    const connector = find(connectorId)
    if (!connector || connector.transaction) return false
    const reserved = connector.reservation?.idTag.toLowerCase() === idTag.toLowerCase()
    if (!['Available', 'Finishing'].includes(connector.status) && !(connector.status === 'Reserved' && reserved)) {
      return false
    }
    timetable.cancel(connector.timer)
    setStatus(connector, 'Preparing')
    const ask = options.online() && (!remote || configuration.boolean('AuthorizeRemoteTxRequests'))
    if (!ask) {
      begin(connector, idTag)
      return true
    }
    outbox.ordinary({
      action: 'Authorize',
      payload: () => ({ idTag }),
      settled(outcome) {
        if (connector.status !== 'Preparing' || connector.transaction) return
        const info = outcome.type === 'result' ? (outcome.payload.idTagInfo as { status?: string }) : undefined
        const offline = outcome.type !== 'result' && configuration.boolean('AllowOfflineTxForUnknownId')
        if (info?.status === 'Accepted' || offline) begin(connector, idTag)
        else unplugged(connector)
      },
    })
    return true
  }

  function stop(connectorId: number, reason: StopReason): boolean {
    const connector = find(connectorId)
    const transaction = connector?.transaction
    if (!connector || !transaction || transaction.stopping) return false
    meter(connector)
    transaction.stopping = true
    draw(connector, 0)
    timetable.cancel(connector.timer)
    const stopped = {
      idTag: transaction.idTag,
      meterStop: connector.register.read(),
      timestamp: clock.timestamp(),
      reason,
    }
    setStatus(connector, 'Finishing')
    outbox.transaction(stopMessage(transaction, stopped, () => options.stopped(connector, transaction, reason)))
    connector.transaction = undefined
    options.profiles.transactionEnded(connectorId)
    // The vehicle leaves a little later; a soft reset or the next driver does not wait for that.
    connector.timer = timetable.after(1_000, () => unplugged(connector))
    return true
  }

  function changeAvailability(connectorId: number, operative: boolean): void {
    if (connectorId === 0 && controller.operative !== operative) {
      controller.operative = operative
      sendStatus(0)
    }
    for (const connector of connectorId === 0 ? all : all.filter((one) => one.id === connectorId)) {
      connector.operative = operative
      const atRest = ['Available', 'Unavailable', 'Reserved'].includes(connector.status)
      if (atRest && !connector.transaction) unplugged(connector)
    }
  }

  function cancelReservation(reservationId: number): boolean {
    const connector = all.find((one) => one.reservation?.id === reservationId)
    if (!connector) return false
    timetable.cancel(connector.reservation?.expiry)
    connector.reservation = undefined
    if (connector.status === 'Reserved') unplugged(connector)
    return true
  }

  return {
    all,
    find,
    byTransaction: (transactionId) => all.find((connector) => connector.transaction?.id === transactionId),
    start,
    stop,
    stopAll(reason) {
      for (const connector of all) stop(connector.id, reason)
    },
    changeAvailability,
    fault(connectorId, errorCode) {
      const connector = find(connectorId)
      if (!connector) return
      connector.errorCode = errorCode
      if (errorCode !== 'NoError') {
        stop(connectorId, 'Other')
        timetable.cancel(connector.timer)
        setStatus(connector, 'Faulted')
      } else if (connector.status === 'Faulted') unplugged(connector)
    },
    reserve(connector, reservationId, idTag, expiresInMs) {
      timetable.cancel(connector.reservation?.expiry)
      const expiry = timetable.after(expiresInMs, () => cancelReservation(reservationId))
      connector.reservation = { id: reservationId, idTag, expiry }
      setStatus(connector, 'Reserved')
    },
    cancelReservation,
    applyLimits() {
      for (const connector of all) if (connector.transaction) applyLimit(connector)
    },
    limitWatts(connectorId) {
      const connector = find(connectorId)
      return connector === undefined ? Number.POSITIVE_INFINITY : limitWatts(connector)
    },
    takenWh(connectorId) {
      const connector = find(connectorId)
      return connector?.transaction === undefined ? 0 : takenBy(connector, connector.transaction)
    },
    sendStatus,
    sendStatuses(triggered) {
      for (let id = 0; id <= all.length; id++) sendStatus(id, triggered)
    },
    sendMeterValues,
    halt() {
      for (const connector of all) {
        timetable.cancel(connector.timer)
        timetable.cancel(connector.reservation?.expiry)
      }
    },
  }
}
