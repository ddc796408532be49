// A charge point of the chaos fleet: it charges without end, and says again what was not answered, as OCPP 1.6, 3.7.1
// wants it: the same transaction message under a new message id. It tells its observer everything that it sees.

import { setTimeout as delay } from 'node:timers/promises'
import { createCallChannel, type Payload } from '../../bench/client/call-channel.js'
import type { Random } from '../../bench/client/random.js'
import type { Timetable } from '../../bench/client/timetable.js'
import { connectWebSocket, type WebSocketClient } from '../../bench/client/websocket.js'
import type { Ledger, TransactionStart } from './ledger.js'
import { between, oneOf } from './scenario.js'

export interface ChargePointObserver {
  opened?(chargePointId: string): void
  /** Not told of refused attempts, nor of the charge point's own goodbye. */
  closed?(chargePointId: string, code: number, reason: string): void
  refused?(chargePointId: string, reason: string): void
  answered?(chargePointId: string, action: string, milliseconds: number): void
  /** A CALLERROR, or no answer within the bound. */
  failed?(chargePointId: string, action: string, how: string): void
  /** An answer to a message that has been answered before. */
  repeated?(chargePointId: string): void
  /** A command whose message id was seen before. */
  commandRepeated?(chargePointId: string, commandId: string): void
}

export interface ChaosChargePointOptions {
  readonly chargePointId: string
  readonly url: () => string
  readonly random: Random
  readonly ledger: Ledger
  readonly timetable: Timetable
  readonly answerWithinMs: number
  /** The longest pause between two messages. */
  readonly pauseMs: number
  /** Its wall clock, ms; that of this machine unless given. */
  readonly now?: (() => number) | undefined
  readonly observer: ChargePointObserver
}

export interface ChaosChargePoint {
  start(): void
  /** Ends what it is saying, then leaves. */
  stop(): Promise<void>
}

interface Running extends TransactionStart {
  readonly transactionId: number
  registerWh: number
}

const connectorIds = [1, 2]
const idTags = ['TAG-1', 'TAG-2', 'TAG-3']
/** Answered message ids that are remembered, so that a second answer is seen. */
const rememberedAnswers = 64
/** A clock that is behind by more was set; it is not just that two moments were one millisecond. */
const setBackMs = 60_000

export function createChaosChargePoint(options: ChaosChargePointOptions): ChaosChargePoint {
  const { chargePointId, random, ledger, observer } = options
  const transactions = new Map<number, Running>()
  const answered = new Set<string>()
  const commands = new Set<string>()
  let running = false
  let socket: WebSocketClient | undefined
  let booted = false
  let registerWh = between(random, 0, 100_000)
  let clock = 0
  let life: Promise<void> | undefined

  const channel = createCallChannel(options.timetable, options.answerWithinMs, {
    answer: () => ({ status: random() < 0.8 ? 'Accepted' : 'Rejected' }),
    answered() {},
  })

  /** Every moment that it tells of is a new one, unless its clock was set back. */
  function timestamp(): string {
    const now = options.now?.() ?? Date.now()
    clock = now < clock - setBackMs ? now : Math.max(clock + 1, now)
    return new Date(clock).toISOString()
  }

  function look(text: string): void {
    const id = /^\[\d,"([^"]*)"/.exec(text)?.[1]
    if (id === undefined) return
    if (text.startsWith('[2')) {
      if (commands.has(id)) observer.commandRepeated?.(chargePointId, id)
      commands.add(id)
      return
    }
    if (answered.has(id)) observer.repeated?.(chargePointId)
    answered.add(id)
    if (answered.size > rememberedAnswers) answered.delete(answered.values().next().value as string)
  }

  /** Resolves true when the socket is open, false when this attempt has failed. */
  function connect(): Promise<boolean> {
    return new Promise((resolve) => {
      let opened = false
      const own = connectWebSocket(
        { url: `${options.url()}/${chargePointId}`, subprotocols: ['ocpp1.6'] },
        {
          opened() {
            opened = true
            socket = own
            channel.attach((text) => own.send(text))
            observer.opened?.(chargePointId)
            resolve(true)
          },
          text(text) {
            look(text)
            channel.receive(text)
          },
          closed(code, reason) {
            if (socket === own) {
              socket = undefined
              channel.detach()
            }
            if (!opened) observer.refused?.(chargePointId, reason)
            else if (running) observer.closed?.(chargePointId, code, reason)
            resolve(false)
          },
        },
      )
    })
  }

  async function online(): Promise<boolean> {
    while (running && socket === undefined) {
      if (await connect()) {
        // Both habits are seen in the field: to boot again with every connection, and not to.
        if (random() < 0.3) booted = false
        break
      }
      await delay(between(random, 20, 150))
    }
    return socket !== undefined
  }

  async function attempt(action: string, payload: Payload): Promise<Payload | undefined> {
    if (!(await online())) return undefined
    const sentAt = performance.now()
    const outcome = await new Promise<Parameters<Parameters<typeof channel.call>[2]>[0]>((resolve) =>
      channel.call(action, payload, resolve),
    )
    if (outcome.type === 'result') {
      observer.answered?.(chargePointId, action, performance.now() - sentAt)
      return outcome.payload
    }
    if (outcome.type !== 'lost') {
      observer.failed?.(chargePointId, action, outcome.type === 'error' ? outcome.code : 'no answer')
      await delay(between(random, 20, 100))
    }
    return undefined
  }

  /** Says it until it is answered; undefined when it has to leave before. */
  async function say(action: string, payload: Payload): Promise<Payload | undefined> {
    while (running) {
      if (!booted && (await online())) {
        const answer = await attempt('BootNotification', { chargePointVendor: 'ampshard', chargePointModel: 'chaos' })
        booted = answer?.status === 'Accepted'
        if (!booted) continue
      }
      const answer = await attempt(action, payload)
      if (answer !== undefined) return answer
    }
    return undefined
  }

  async function begin(connectorId: number): Promise<void> {
    const start: TransactionStart = {
      chargePointId,
      connectorId,
      idTag: oneOf(random, idTags),
      timestamp: timestamp(),
      meterStart: registerWh,
    }
    ledger.append({ type: 'starting', ...start })
    const { chargePointId: _, ...payload } = start
    const answer = await say('StartTransaction', payload)
    if (answer === undefined) return
    const transactionId = Number(answer.transactionId)
    ledger.append({ type: 'started', transactionId, ...start })
    transactions.set(connectorId, { ...start, transactionId, registerWh })
  }

  async function meter(transaction: Running): Promise<void> {
    const { connectorId, transactionId } = transaction
    registerWh += between(random, 1, 500)
    const now = registerWh
    const sampledValue = [{ value: String(now), measurand: 'Energy.Active.Import.Register', unit: 'Wh' }]
    const meterValue = [{ timestamp: timestamp(), sampledValue }]
    const answer = await say('MeterValues', { connectorId, transactionId, meterValue })
    if (answer === undefined) return
    ledger.append({ type: 'metered', chargePointId, transactionId, registerWh: now })
  }

  async function end({ connectorId, transactionId, idTag }: Running): Promise<void> {
    registerWh += between(random, 1, 500)
    const meterStop = registerWh
    const answer = await say('StopTransaction', { transactionId, idTag, meterStop, timestamp: timestamp() })
    if (answer === undefined) return
    ledger.append({ type: 'stopped', chargePointId, transactionId, meterStop })
    transactions.delete(connectorId)
  }

  async function live(): Promise<void> {
    while (running) {
      const connectorId = oneOf(random, connectorIds)
      const transaction = transactions.get(connectorId)
      if (transaction === undefined) await begin(connectorId)
      else if (random() < 0.6) await meter(transaction)
      else if (random() < 0.8) await end(transaction)
      else await say('Heartbeat', {})
      if (options.pauseMs > 0) await delay(random() * options.pauseMs)
    }
  }

  return {
    start() {
      running = true
      life = live()
    },
    async stop() {
      running = false
      await life
      const own = socket
      socket = undefined
      channel.detach()
      own?.close(1000, 'stopped')
    },
  }
}
