// The charge point of the generators: as cheap as it can be while its traffic is that of a real one. It has OCPP-J's calls
// (../charge-point/call-channel.ts) and no more: what is sent, when, and how commands are answered is its owner's script, ready
// as JSON, because thousands of them share a thread and are measured from the time at which they should have spoken. A whole charge
// point (../charge-point) with its queues and timers would be measured instead.

import { randomBytes } from 'node:crypto'
import { type CallOutcome, createCallChannel, isObject, type Payload } from '../charge-point/call-channel.js'
import type { Refusal } from '../charge-point/transport.js'
import { connectWebSocket, type WebSocketClient, type WebSocketOptions } from '../client/websocket.js'

/** Why a CALL has no good answer: `kind` is one of few, `detail` is for people. */
export interface Failure {
  readonly kind: string
  readonly detail: string
}

export type Settled = (microseconds: number, failure: Failure | undefined) => void

/** Without accessors, as the channel: thousands of them have one shape. */
export interface Station {
  readonly id: string
  readonly number: number
  open(): boolean
  /** A CALL is outstanding. */
  busy(): boolean
  registerWh: number
  /** Transaction ids by connector, from index 1. */
  readonly transactions: (number | undefined)[]
  /** Opens a connection; nothing of an earlier one may be left. */
  connect(): void
  /** Sends a CALL whose payload is JSON; `settled` is told how long it took. Only when open and not busy. */
  call(action: string, payload: string, settled: Settled): void
  /** The payload of the last CALLRESULT. */
  answer(): Payload
  /** Gives up on a CALL that was sent before `sentBefore`, on the clock of `performance.now()`, for the reason `kind`. */
  expire(sentBefore: number, kind: string): void
  /** Says goodbye. */
  close(): void
  /** Loses the connection without a word; a CALL that is outstanding fails as `dropped`. */
  drop(): void
}

export interface StationOptions {
  readonly id: string
  readonly number: number
  readonly connection: WebSocketOptions
  readonly opened: (station: Station) => void
  /** Once for every `connect`, whatever became of it. */
  readonly closed: (reason: string, code: number, refusal: Refusal | undefined) => void
  /** The JSON that a command is answered with; undefined for one that is not known. */
  readonly command: (action: string, payload: Payload) => string | undefined
  /** How long it takes to answer a command; at once where it is absent. */
  readonly answersAfterMs?: number
  /** Told of each command that was answered. */
  readonly answered?: (station: Station, action: string, payload: Payload) => void
  /** Frames that are nothing a charge point could make use of, by kind. */
  readonly unexpected?: (kind: string) => void
}

/** The failure of a CALL whose connection was cut on purpose. */
export const dropped: Failure = { kind: 'dropped', detail: '' }

// Unique over all processes and connections: a central system may match ids across them.
const processPrefix = randomBytes(4).toString('hex')

/** The endpoint and one path segment more; a query stays where it is. */
export function stationUrl(endpoint: string, id: string): string {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${encodeURIComponent(id)}`
  return url.href
}

export function createStation(options: StationOptions): Station {
  let socket: WebSocketClient | undefined
  let sequence = 0
  let settled: Settled | undefined
  let lastAnswer: Payload = {}
  /** What a call that is not answered fails with. */
  let unanswered = dropped

  const channel = createCallChannel({
    now: () => performance.now(),
    nextMessageId: () => `${processPrefix}-${options.number.toString(36)}-${(++sequence).toString(36)}`,
    called({ id, action, payload }, reply) {
      const isCall = typeof action === 'string' && isObject(payload ?? {})
      const answer = isCall ? options.command(action, (payload ?? {}) as Payload) : undefined
      if (answer === undefined) {
        reply(`[4,${JSON.stringify(id)},"NotImplemented","",{}]`)
        return
      }
      const send = (): void => {
        reply(`[3,${JSON.stringify(id)},${answer}]`)
        options.answered?.(station, action as string, (payload ?? {}) as Payload)
      }
      if (options.answersAfterMs === undefined) send()
      else setTimeout(send, options.answersAfterMs)
    },
    ...(options.unexpected && { unexpected: options.unexpected }),
  })

  function failureOf(outcome: CallOutcome): Failure | undefined {
    if (outcome.type === 'result') return undefined
    if (outcome.type === 'error') return { kind: `CALLERROR ${outcome.code}`, detail: outcome.description }
    if (outcome.type === 'malformed') return { kind: 'malformed answer', detail: outcome.text }
    return unanswered
  }

  /** The same for every call: none costs a function of its own. */
  function settle(outcome: CallOutcome): void {
    if (outcome.type === 'result') lastAnswer = outcome.payload
    settled?.((performance.now() - channel.sentAt()) * 1000, failureOf(outcome))
  }

  function detach(failure: Failure): void {
    unanswered = failure
    channel.detach()
  }

  const station: Station = {
    id: options.id,
    number: options.number,
    registerWh: options.number * 1_000 + 17,
    transactions: [],
    open: () => socket?.open === true,
    busy: channel.busy,
    connect() {
      const own: WebSocketClient = connectWebSocket(options.connection, {
        opened() {
          channel.attach(own.send)
          options.opened(station)
        },
        text: channel.receive,
        closed(code, why, refusal) {
          if (socket === own) {
            socket = undefined
            detach({ kind: 'connection lost', detail: why })
          }
          options.closed(why, code, refusal)
        },
      })
      socket = own
    },
    call(action, payload, told) {
      settled = told
      channel.call(action, payload, settle)
    },
    answer: () => lastAnswer,
    expire(sentBefore, kind) {
      if (!channel.busy() || channel.sentAt() >= sentBefore) return
      unanswered = { kind, detail: '' }
      channel.expire()
    },
    close: () => socket?.close(),
    drop() {
      const own = socket
      // Gone for its owner at once: what follows from the failure must not be sent on it any more.
      socket = undefined
      own?.destroy()
      detach(dropped)
    },
  }
  return station
}
