// A charge point as the field knows it: it connects, boots, reports its connectors, sends heartbeats, obeys commands,
// keeps its transaction messages over a lost connection, and comes back with a jittered back-off. It has no sockets, timers or
// clocks of its own: the same seed, time and answers make the same frames.

import { answerFrame, CallError, type CallOutcome, type Payload } from './call-channel.js'
import { createChargingProfiles } from './charging-profiles.js'
import { type ClockKind, createClock } from './clock.js'
import { type CommandContext, createCommands } from './commands.js'
import { createConfiguration } from './configuration.js'
import { type Connector, type Connectors, createConnectors, type Transaction } from './connectors.js'
import { createMaintenance } from './maintenance.js'
import type { Misbehaving, Misbehaviour, RequestFlaw } from './misbehaviours.js'
import { createRegister, type Register } from './register.js'
import { createSecurityCommands } from './security-commands.js'
import type { Timetable } from './timetable.js'
import type { StopReason } from './transaction-messages.js'
import type { Refusal, Transport } from './transport.js'
import { createUplink } from './uplink.js'
import { steadyVehicle, type Vehicle } from './vehicle.js'

export interface ChargePointOptions {
  readonly id: string
  readonly transport: Transport
  /** Share one among all charge points of a process. */
  readonly timetable: Timetable
  /** The true wall time, ms. */
  readonly now: () => number
  readonly random: () => number
  readonly nextMessageId: () => string
  /** Makes a key pair and the request for its certificate, in PEM. */
  readonly certificateRequest: (organization: string, serialNumber: string, flaw?: RequestFlaw) => Promise<string>
  readonly connectors?: number
  readonly maximumWatts?: number
  /** The vehicle of a transaction that begins; otherwise it takes half of `maximumWatts` or more, whatever it has taken. */
  readonly vehicleAt?: ((connectorId: number) => Vehicle | undefined) | undefined
  readonly vendor?: string
  readonly model?: string
  readonly serialNumber?: string
  readonly firmwareVersion?: string
  /** Basic credentials; changed by ChangeConfiguration of AuthorizationKey. */
  readonly password?: string | Buffer
  /** Initial configuration keys, MeterValueSampleInterval say. */
  readonly configuration?: Readonly<Record<string, string>>
  readonly clock?: ClockKind
  /** Where the energy register of a connector stands, and where it begins anew. */
  readonly registerOf?: (connectorId: number) => Register
  readonly callTimeoutMs?: number
  readonly reconnectMinimumMs?: number
  readonly reconnectMaximumMs?: number
  /** How long it is away when it reboots. */
  readonly rebootMs?: number
  readonly maintenanceStageMs?: number
  /** Whether every new connection begins with a BootNotification; both habits are seen in the field. */
  readonly bootOnReconnect?: boolean
  readonly misbehaviour?: Misbehaviour | undefined
}

export interface ChargePointEvents {
  connected?(): void
  disconnected?(code: number, reason: string, refusal: Refusal | undefined): void
  booted?(status: string): void
  /** A CALL of the central system and what was answered; an undefined answer is a CALLERROR. */
  command?(action: string, payload: Payload, answer: Payload | undefined): void
  /** Every message received, in both kinds. */
  received?(): void
  transactionStarted?(connectorId: number, transactionId: number): void
  transactionStopped?(connectorId: number, transaction: Transaction, reason: StopReason): void
  /** What really flows at a connector from now on. */
  drew?(connectorId: number, watts: number): void
}

export interface ChargePoint {
  readonly id: string
  readonly connected: boolean
  /** BootNotification has been accepted on this connection, or needed no repeating. */
  readonly accepted: boolean
  readonly connectors: Pick<
    Connectors,
    | 'all'
    | 'find'
    | 'start'
    | 'stop'
    | 'fault'
    | 'changeAvailability'
    | 'sendMeterValues'
    | 'applyLimits'
    | 'limitWatts'
    | 'takenWh'
  >
  readonly waitingTransactionMessages: number
  start(): void
  /** Says goodbye and stays away; transactions stay open. */
  stop(): void
  /** Loses the connection as a network failure does, and comes back by itself. */
  drop(): void
  /** The same, but it is away for so long. */
  loseConnection(forMs: number): void
  /** Loses its power: it boots when that is back, and reports running transactions as stopped by it. */
  powerCycle(): void
  /** Sends any CALL in its turn. */
  call(action: string, payload: Payload): Promise<CallOutcome>
}

export const defaultVendor = 'ampshard'

/** Of one that was not given any: OCPP takes 25 characters. */
export const serialNumberOf = (id: string): string => id.slice(0, 25)

const transactionMessageLimit = 10_000
const bootRetryMs = 30_000

export function createChargePoint(options: ChargePointOptions, events: ChargePointEvents = {}): ChargePoint {
  const { timetable, random, misbehaviour } = options
  const now = (): number => options.now() - (misbehaviour?.clockBehindMs ?? 0)
  const vendor = options.vendor ?? defaultVendor
  const count = options.connectors ?? 1
  const clock = createClock(options.clock ?? 'right', { now, monotonic: timetable.now })
  const configuration = createConfiguration({ NumberOfConnectors: String(count), ...options.configuration })
  const profiles = createChargingProfiles()
  const reconnectMinimumMs = options.reconnectMinimumMs ?? 500
  const reconnectMaximumMs = options.reconnectMaximumMs ?? 30_000
  const rebootMs = options.rebootMs ?? 1_000
  const maximumWatts = options.maximumWatts ?? 11_000

  let password = options.password
  let firmwareVersion = options.firmwareVersion ?? '1.0.0'
  let serialNumber = options.serialNumber ?? serialNumberOf(options.id)
  /** Of a misbehaviour that begins with the first command, or with the first boot. */
  let wasCommanded = false
  let hasAsked = false
  let afterAnswer: (() => void)[] = []

  const uplink = createUplink({
    connect: (connectionEvents) => options.transport(connectionEvents, password),
    timetable,
    boot: () => ({
      chargePointVendor: vendor,
      chargePointModel: options.model ?? 'simulated',
      chargePointSerialNumber: serialNumber,
      firmwareVersion,
      meterType: 'simulated',
    }),
    habits: {
      callTimeoutMs: options.callTimeoutMs ?? 30_000,
      messageIds: () => options.nextMessageId,
      bootsAgain: () => options.bootOnReconnect === true,
      bootAgainAfterMs: () => bootRetryMs,
      heartbeatAfterMs: () => configuration.integer('HeartbeatInterval') * 1000,
      reconnectAfterMs(failures, refusal) {
        const ceiling = Math.min(reconnectMaximumMs, reconnectMinimumMs * 2 ** Math.min(failures, 16))
        return (refusal?.retryAfterSeconds ?? 0) * 1000 + ceiling * (0.5 + 0.5 * random())
      },
      againAfterMs: (_message, failures) =>
        failures < configuration.integer('TransactionMessageAttempts')
          ? configuration.integer('TransactionMessageRetryInterval') * 1000 * failures
          : undefined,
      maximumMessages: transactionMessageLimit,
    },
    events: {
      connected: () => events.connected?.(),
      disconnected: (code, reason, refusal) => events.disconnected?.(code, reason, refusal),
      received: () => events.received?.(),
      booted({ status, interval }) {
        clock.set()
        events.booted?.(String(status))
        if (status === 'Accepted' && Number(interval) > 0)
          configuration.set('HeartbeatInterval', String(Math.round(Number(interval))))
      },
      online() {
        connectors.sendStatuses()
        if (misbehaviour?.certificateRequest === undefined || hasAsked) return
        hasAsked = true
        maintenance.signCertificate()
      },
      called(call, reply) {
        const { frame, isResult } = answerFrame(call, command)
        const tasks = afterAnswer
        afterAnswer = []
        reply(frame)
        if (!isResult) return
        for (const task of tasks) task()
        uplink.outbox.pump()
        if (!wasCommanded) misbehaviour?.afterFirstCommand?.(misbehaving)
        wasCommanded = true
      },
    },
  })
  const { outbox } = uplink
  const connectors = createConnectors({
    count,
    vehicleAt: (connectorId) =>
      options.vehicleAt?.(connectorId) ?? steadyVehicle(Math.round(maximumWatts * (0.5 + 0.5 * random()))),
    configuration,
    profiles,
    outbox,
    timetable,
    random,
    clock,
    registerOf: options.registerOf ?? (() => createRegister(Math.floor(random() * 5_000_000))),
    online: () => uplink.accepted,
    started: (connector: Connector, transactionId) => events.transactionStarted?.(connector.id, transactionId),
    stopped: (connector, transaction, reason) => events.transactionStopped?.(connector.id, transaction, reason),
    drew: ({ id, powerWatts }) => events.drew?.(id, powerWatts),
  })
  const maintenance = createMaintenance({
    outbox,
    timetable,
    connectors,
    certificateRequest: () =>
      options.certificateRequest(
        configuration.text('CpoName') || 'unknown',
        serialNumber,
        misbehaviour?.certificateRequest?.flaw,
      ),
    now: clock.now,
    stageMs: options.maintenanceStageMs ?? 1_000,
    installed(version) {
      firmwareVersion = version
      uplink.reboot(rebootMs)
    },
    currentVersion: () => firmwareVersion,
  })
  const context: CommandContext = {
    configuration,
    profiles,
    connectors,
    outbox,
    vendor,
    now: clock.now,
    accepted: () => uplink.accepted,
    later: (task) => afterAnswer.push(task),
    boot: uplink.boot,
    heartbeat: uplink.heartbeat,
    reset,
    credentialsChanged(key) {
      password = /^([0-9a-f]{2}){16,20}$/i.test(key) ? Buffer.from(key, 'hex') : key
      uplink.close('new credentials')
    },
    updateFirmware: maintenance.updateFirmware,
    uploadDiagnostics: maintenance.uploadDiagnostics,
    firmwareStatus: maintenance.firmwareStatus,
    signCertificate: maintenance.signCertificate,
  }
  const commands = { ...createCommands(context), ...createSecurityCommands(context) }
  const misbehaving: Misbehaving = {
    configuration,
    loseConnection,
    restart(withOtherHardware = false) {
      if (withOtherHardware) serialNumber = `${serialNumber.slice(0, 23)}-B`
      powerCycle()
    },
  }

  function command(action: string, payload: Payload): Payload {
    const handler = Object.hasOwn(commands, action) ? commands[action] : undefined
    try {
      if (handler === undefined) throw new CallError('NotImplemented', action)
      const wrong = misbehaviour?.commands?.[action]
      const answer = wrong === undefined ? handler(payload) : wrong(payload, handler, misbehaving)
      events.command?.(action, payload, answer)
      return answer
    } catch (error) {
      events.command?.(action, payload, undefined)
      throw error
    }
  }

  function reset(hard: boolean): void {
    connectors.stopAll(hard ? 'HardReset' : 'SoftReset')
    if (hard) uplink.reboot(rebootMs)
    else {
      // Everything about the transactions goes out first, as long as that does not take forever.
      const limit = timetable.after(10_000, () => uplink.reboot(rebootMs))
      outbox.whenDrained(() => {
        if (limit.task === undefined) return
        timetable.cancel(limit)
        uplink.reboot(rebootMs)
      })
    }
  }

  function loseConnection(forMs: number): void {
    uplink.connect(forMs)
    uplink.drop()
  }

  function powerCycle(): void {
    uplink.switchOff()
    events.disconnected?.(1006, 'switched off', undefined)
    connectors.stopAll('PowerLoss')
    clock.powerUp()
    uplink.connect(rebootMs)
  }

  return {
    id: options.id,
    get connected() {
      return uplink.connected
    },
    get accepted() {
      return uplink.accepted
    },
    get waitingTransactionMessages() {
      return outbox.waitingTransactionMessages
    },
    connectors,
    start: () => uplink.connect(),
    stop() {
      uplink.leave('stopped')
      connectors.halt()
      maintenance.halt()
    },
    drop: uplink.drop,
    loseConnection,
    powerCycle,
    call: (action, payload) =>
      new Promise((resolve) => {
        outbox.ordinary({ action, payload: () => payload, settled: resolve })
      }),
  }
}
