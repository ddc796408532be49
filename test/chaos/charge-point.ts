// A charge point of the chaos fleet: it charges without end, and tells its observer everything that it sees. How it connects, boots
// and says again what was not answered is the uplink's.

import { setTimeout as delay } from 'node:timers/promises'
import { answerFrame, type CallOutcome, type Payload } from '../../bench/charge-point/call-channel.js'
import type { Message } from '../../bench/charge-point/outbox.js'
import type { Timetable } from '../../bench/charge-point/timetable.js'
import { meterValuesMessage, startMessage, stopMessage } from '../../bench/charge-point/transaction-messages.js'
import { createUplink } from '../../bench/charge-point/uplink.js'
import type { Random } from '../../bench/client/random.js'
import { uniqueMessageIds, webSocketTransport } from '../../bench/client/socket-charge-point.js'
import type { Ledger } from './ledger.js'
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

interface Running {
  readonly connectorId: number
  readonly idTag: string
  id: number | undefined
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
  let registerWh = between(random, 0, 100_000)
  let clock = 0
  let life: Promise<void> | undefined
  /** Ends the wait for an answer that will not be waited for any longer. */
  let giveUp: (() => void) | undefined

  const messageIds = uniqueMessageIds()
  let open = false
  const connect = webSocketTransport({ id: chargePointId, url: options.url })
  const uplink = createUplink({
    connect: (events) => connect(events, undefined),
    timetable: options.timetable,
    boot: () => ({ chargePointVendor: 'ampshard', chargePointModel: 'chaos' }),
    habits: {
      callTimeoutMs: options.answerWithinMs,
      messageIds: () => messageIds,
      // Both habits are seen in the field: to boot again with every connection, and not to.
      bootsAgain: () => random() < 0.3,
      bootAgainAfterMs: () => between(random, 20, 100),
      heartbeatAfterMs: () => 0,
      reconnectAfterMs: () => between(random, 20, 150),
      againAfterMs: () => between(random, 20, 100),
      maximumMessages: 1,
    },
    events: {
      connected() {
        open = true
        observer.opened?.(chargePointId)
      },
      disconnected(code, reason) {
        if (!open) observer.refused?.(chargePointId, reason)
        else if (running) observer.closed?.(chargePointId, code, reason)
        open = false
        if (!running) giveUp?.()
      },
      received: look,
      online() {},
      failed({ action }, outcome) {
        observer.failed?.(chargePointId, action, outcome.type === 'error' ? outcome.code : 'no answer')
        if (!running) giveUp?.()
      },
      called: (call, reply) =>
        reply(answerFrame(call, () => ({ status: random() < 0.8 ? 'Accepted' : 'Rejected' })).frame),
    },
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

  /** Says it until it is answered; undefined when it has to leave before. */
  function say(send: (message: Message) => void, message: Message): Promise<Payload | undefined> {
    let sentAt = 0
    return new Promise((resolve) => {
      giveUp = () => resolve(undefined)
      send({
        ...message,
        payload() {
          sentAt = performance.now()
          return message.payload()
        },
        settled(outcome: CallOutcome) {
          message.settled?.(outcome)
          if (outcome.type === 'result') observer.answered?.(chargePointId, message.action, performance.now() - sentAt)
          resolve(outcome.type === 'result' ? outcome.payload : undefined)
        },
      })
    })
  }

  const { outbox } = uplink
  const sayOfTransaction = (message: Message): Promise<Payload | undefined> => say(outbox.transaction, message)

  async function begin(connectorId: number): Promise<void> {
    const idTag = oneOf(random, idTags)
    const start = { connectorId, idTag, timestamp: timestamp(), meterStart: registerWh }
    const transaction: Running = { connectorId, idTag, id: undefined }
    ledger.append({ type: 'starting', chargePointId, ...start })
    await sayOfTransaction(startMessage(transaction, start, () => {}))
    if (transaction.id === undefined) return
    ledger.append({ type: 'started', transactionId: transaction.id, chargePointId, ...start })
    transactions.set(connectorId, transaction)
  }

  async function meter(transaction: Running): Promise<void> {
    registerWh += between(random, 1, 500)
    const now = registerWh
    const sampledValue = [{ value: String(now), measurand: 'Energy.Active.Import.Register', unit: 'Wh' }]
    const reading = { timestamp: timestamp(), sampledValue }
    const answer = await sayOfTransaction(meterValuesMessage(transaction.connectorId, transaction, reading))
    if (answer === undefined) return
    ledger.append({ type: 'metered', chargePointId, transactionId: Number(transaction.id), registerWh: now })
  }

  async function end(transaction: Running): Promise<void> {
    registerWh += between(random, 1, 500)
    const meterStop = registerWh
    const stop = { idTag: transaction.idTag, meterStop, timestamp: timestamp(), reason: 'Local' as const }
    const answer = await sayOfTransaction(stopMessage(transaction, stop))
    if (answer === undefined) return
    ledger.append({ type: 'stopped', chargePointId, transactionId: Number(transaction.id), meterStop })
    transactions.delete(transaction.connectorId)
  }

  async function live(): Promise<void> {
    while (running) {
      const connectorId = oneOf(random, connectorIds)
      const transaction = transactions.get(connectorId)
      if (transaction === undefined) await begin(connectorId)
      else if (random() < 0.6) await meter(transaction)
      else if (random() < 0.8) await end(transaction)
      else await say(outbox.ordinary, { action: 'Heartbeat', payload: () => ({}) })
      if (options.pauseMs > 0) await delay(random() * options.pauseMs)
    }
  }

  return {
    start() {
      running = true
      uplink.connect()
      life = live()
    },
    async stop() {
      running = false
      if (!uplink.busy) giveUp?.()
      await life
      uplink.leave('stopped')
    },
  }
}
