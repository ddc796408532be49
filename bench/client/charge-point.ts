// A charge point as the field knows it: it connects, boots, reports its connectors, sends heartbeats, obeys commands,
// keeps its transaction messages over a lost connection, and comes back with a jittered back-off.
// The protocol's parts live beside it; here they meet, and here is the connection's life.

import { CallError, type CallOutcome, createCallChannel, type Payload } from './call-channel.js'
import { createChargingProfiles } from './charging-profiles.js'
import { type CommandContext, createCommands } from './commands.js'
import { createConfiguration } from './configuration.js'
import { type Connector, type Connectors, createConnectors, type StopReason, type Transaction } from './connectors.js'
import { createMaintenance } from './maintenance.js'
import { createOutbox } from './outbox.js'
import { createRandom } from './random.js'
import { createSecurityCommands } from './security-commands.js'
import { createTimetable, type Timetable, type TimetableEntry } from './timetable.js'
import { connectWebSocket, type Refusal, type WebSocketClient, type WebSocketOptions } from './websocket.js'

export interface ChargePointOptions {
  readonly id: string
  /** The central system's endpoint without the id, ws://host:port/ocpp16. */
  readonly url: string
  readonly connectors?: number
  readonly maximumWatts?: number
  readonly vendor?: string
  readonly model?: string
  readonly serialNumber?: string
  readonly firmwareVersion?: string
  /** Basic credentials; changed by ChangeConfiguration of AuthorizationKey. */
  readonly password?: string | Buffer
  readonly tls?: WebSocketOptions['tls']
  readonly localAddress?: string
  /** Initial configuration keys, MeterValueSampleInterval say. */
  readonly configuration?: Readonly<Record<string, string>>
  readonly seed?: number
  /** Share one among all charge points of a process. */
  readonly timetable?: Timetable
  readonly callTimeoutMs?: number
  readonly reconnectMinimumMs?: number
  readonly reconnectMaximumMs?: number
  /** How long it is away when it reboots. */
  readonly rebootMs?: number
  readonly maintenanceStageMs?: number
  /** Whether every new connection begins with a BootNotification; both habits are seen in the field. */
  readonly bootOnReconnect?: boolean
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
}

export interface ChargePoint {
  readonly id: string
  readonly connected: boolean
  /** BootNotification has been accepted on this connection, or needed no repeating. */
  readonly accepted: boolean
  readonly connectors: Pick<Connectors, 'all' | 'find' | 'start' | 'stop' | 'fault' | 'sendMeterValues'>
  readonly waitingTransactionMessages: number
  start(): void
  /** Says goodbye and stays away; transactions stay open. */
  stop(): void
  /** Loses the connection as a power or network failure does, and comes back by itself. */
  drop(): void
  /** Loses its power: it boots when that is back, and reports running transactions as stopped by it. */
  powerCycle(): void
  /** Sends any CALL in its turn. */
  call(action: string, payload: Payload): Promise<CallOutcome>
}

const transactionMessageLimit = 10_000
const defaultBootRetrySeconds = 30

export function createChargePoint(options: ChargePointOptions, events: ChargePointEvents = {}): ChargePoint {
  const timetable = options.timetable ?? createTimetable()
  const random = createRandom(options.seed ?? hash(options.id))
  const vendor = options.vendor ?? 'ampshard'
  const serialNumber = options.serialNumber ?? options.id.slice(0, 25)
  const now = Date.now
  const configuration = createConfiguration({
    NumberOfConnectors: String(options.connectors ?? 1),
    ...options.configuration,
  })
  const profiles = createChargingProfiles()
  const reconnectMinimumMs = options.reconnectMinimumMs ?? 500
  const reconnectMaximumMs = options.reconnectMaximumMs ?? 30_000

  let running = false
  let socket: WebSocketClient | undefined
  let password = options.password
  let firmwareVersion = options.firmwareVersion ?? '1.0.0'
  let registered = false
  let mustBoot = true
  let failures = 0
  let reconnect: TimetableEntry | undefined
  let heartbeat: TimetableEntry | undefined
  let bootRetry: TimetableEntry | undefined
  let afterAnswer: (() => void)[] = []

  const channel = createCallChannel(timetable, options.callTimeoutMs ?? 30_000, {
    answer(action, payload) {
      const handler = Object.hasOwn(commands, action) ? commands[action] : undefined
      try {
        if (handler === undefined) throw new CallError('NotImplemented', action)
        const answer = handler(payload)
        events.command?.(action, payload, answer)
        return answer
      } catch (error) {
        afterAnswer = []
        events.command?.(action, payload, undefined)
        throw error
      }
    },
    answered() {
      const tasks = afterAnswer
      afterAnswer = []
      for (const task of tasks) task()
      outbox.pump()
    },
  })
  const outbox = createOutbox(channel, timetable, {
    attempts: () => configuration.integer('TransactionMessageAttempts'),
    retryIntervalMs: () => configuration.integer('TransactionMessageRetryInterval') * 1000,
    maximumMessages: transactionMessageLimit,
  })
  const connectors = createConnectors({
    count: options.connectors ?? 1,
    maximumWatts: options.maximumWatts ?? 11_000,
    configuration,
    profiles,
    outbox,
    timetable,
    random,
    now,
    online: () => registered,
    started: (connector: Connector, transactionId) => events.transactionStarted?.(connector.id, transactionId),
    stopped: (connector, transaction, reason) => events.transactionStopped?.(connector.id, transaction, reason),
  })
  const maintenance = createMaintenance({
    outbox,
    timetable,
    connectors,
    serialNumber,
    organization: () => configuration.text('CpoName'),
    now,
    stageMs: options.maintenanceStageMs ?? 1_000,
    installed(version) {
      firmwareVersion = version
      reboot()
    },
    currentVersion: () => firmwareVersion,
  })
  const context: CommandContext = {
    configuration,
    profiles,
    connectors,
    outbox,
    vendor,
    now,
    accepted: () => registered,
    later: (task) => afterAnswer.push(task),
    boot,
    heartbeat: () => outbox.urgent({ action: 'Heartbeat', payload: () => ({}), settled: heartbeatSettled }),
    reset,
    credentialsChanged(key) {
      password = /^([0-9a-f]{2}){16,20}$/i.test(key) ? Buffer.from(key, 'hex') : key
      socket?.close(1000, 'new credentials')
    },
    updateFirmware: maintenance.updateFirmware,
    uploadDiagnostics: maintenance.uploadDiagnostics,
    firmwareStatus: maintenance.firmwareStatus,
    signCertificate: maintenance.signCertificate,
  }
  const commands = { ...createCommands(context), ...createSecurityCommands(context) }

  function boot(): void {
    outbox.urgent({
      action: 'BootNotification',
      payload: () => ({
        chargePointVendor: vendor,
        chargePointModel: options.model ?? 'simulated',
        chargePointSerialNumber: serialNumber,
        firmwareVersion,
        meterType: 'simulated',
      }),
      settled: bootSettled,
    })
  }

  function retryBoot(seconds: number): void {
    timetable.cancel(bootRetry)
    bootRetry = timetable.after(seconds * 1000, boot)
  }

  function bootSettled(outcome: CallOutcome): void {
    if (outcome.type === 'lost') return
    if (outcome.type !== 'result') {
      retryBoot(defaultBootRetrySeconds)
      return
    }
    const status = String(outcome.payload.status)
    const interval = Number(outcome.payload.interval)
    events.booted?.(status)
    if (status !== 'Accepted') {
      registered = false
      outbox.allow(false)
      retryBoot(interval > 0 ? interval : defaultBootRetrySeconds)
      return
    }
    mustBoot = false
    if (interval > 0) configuration.set('HeartbeatInterval', String(Math.round(interval)))
    online()
  }

  /** The central system takes everything from here on. */
  function online(): void {
    registered = true
    failures = 0
    connectors.sendStatuses()
    outbox.allow(true)
    scheduleHeartbeat()
  }

  function scheduleHeartbeat(): void {
    timetable.cancel(heartbeat)
    const seconds = configuration.integer('HeartbeatInterval')
    if (seconds <= 0) return
    heartbeat = timetable.after(seconds * 1000, () => {
      if (!registered) return
      outbox.ordinary({ action: 'Heartbeat', payload: () => ({}), settled: heartbeatSettled })
      scheduleHeartbeat()
    })
  }

  /** A central system that has forgotten this charge point says so with SecurityError; booting mends that. */
  function heartbeatSettled(outcome: CallOutcome): void {
    if (outcome.type !== 'error' || outcome.code !== 'SecurityError') return
    registered = false
    outbox.allow(false)
    boot()
  }

  function reset(hard: boolean): void {
    connectors.stopAll(hard ? 'HardReset' : 'SoftReset')
    if (hard) reboot()
    else {
      // Everything about the transactions goes out first, as long as that does not take forever.
      const limit = timetable.after(10_000, reboot)
      outbox.whenDrained(() => {
        if (limit.task === undefined) return
        timetable.cancel(limit)
        reboot()
      })
    }
  }

  function reboot(): void {
    mustBoot = true
    registered = false
    const away = socket
    connectAfter(options.rebootMs ?? 1_000)
    away?.close(1000, 'reboot')
  }

  function connectAfter(delayMs: number): void {
    timetable.cancel(reconnect)
    reconnect = timetable.after(delayMs, connect)
  }

  function connect(): void {
    timetable.cancel(reconnect)
    reconnect = undefined
    if (!running || socket !== undefined) return
    const own = connectWebSocket(
      {
        url: `${options.url.replace(/\/$/, '')}/${encodeURIComponent(options.id)}`,
        subprotocols: ['ocpp1.6'],
        ...(password === undefined ? {} : { username: options.id, password }),
        ...(options.tls === undefined ? {} : { tls: options.tls }),
        ...(options.localAddress === undefined ? {} : { localAddress: options.localAddress }),
      },
      {
        opened() {
          channel.attach((text) => own.send(text))
          events.connected?.()
          if (mustBoot || options.bootOnReconnect === true) boot()
          else online()
        },
        text(text) {
          events.received?.()
          channel.receive(text)
        },
        closed: (code, reason, refusal) => lost(code, reason, refusal),
      },
    )
    socket = own
  }

  function lost(code: number, reason: string, refusal: Refusal | undefined): void {
    socket = undefined
    registered = false
    timetable.cancel(heartbeat)
    timetable.cancel(bootRetry)
    channel.detach()
    outbox.disconnected()
    events.disconnected?.(code, reason, refusal)
    if (!running || reconnect?.task !== undefined) return
    const ceiling = Math.min(reconnectMaximumMs, reconnectMinimumMs * 2 ** Math.min(failures, 16))
    failures++
    const asked = (refusal?.retryAfterSeconds ?? 0) * 1000
    connectAfter(asked + ceiling * (0.5 + 0.5 * random()))
  }

  return {
    id: options.id,
    get connected() {
      return socket?.open === true
    },
    get accepted() {
      return registered
    },
    get waitingTransactionMessages() {
      return outbox.waitingTransactionMessages
    },
    connectors,
    start() {
      running = true
      connect()
    },
    stop() {
      running = false
      timetable.cancel(reconnect)
      timetable.cancel(heartbeat)
      timetable.cancel(bootRetry)
      connectors.halt()
      maintenance.halt()
      socket?.close(1000, 'stopped')
    },
    drop: () => socket?.destroy(),
    powerCycle() {
      socket?.destroy()
      registered = false
      mustBoot = true
      channel.detach()
      outbox.disconnected()
      connectors.stopAll('PowerLoss')
      connectAfter(options.rebootMs ?? 1_000)
    },
    call: (action, payload) =>
      new Promise((resolve) => {
        outbox.ordinary({ action, payload: () => payload, settled: resolve })
      }),
  }
}

/** A seed of its own for every charge point that was not given one. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}
