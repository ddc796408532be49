// The charge point of the generators: as cheap as it can be while its traffic is that of a real one. It matches answers
// to its CALLs and lets its owner answer commands; it decides nothing about what is sent, or when.

import { randomBytes } from 'node:crypto'
import type { Payload } from '../client/call-channel.js'
import { connectWebSocket, type Refusal, type WebSocketClient, type WebSocketOptions } from '../client/websocket.js'

/** Why a CALL has no good answer: `kind` is one of few, `detail` is for people. */
export interface Failure {
  readonly kind: string
  readonly detail: string
}

export type Settled = (microseconds: number, failure: Failure | undefined) => void

export interface Station {
  readonly id: string
  readonly number: number
  readonly open: boolean
  /** A CALL is outstanding. */
  readonly busy: boolean
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
  /** Frames that are nothing a charge point could make use of, by kind. */
  readonly unexpected?: (kind: string) => void
}

/** The failure of a CALL whose connection was cut on purpose. */
export const dropped: Failure = { kind: 'dropped', detail: '' }

// Unique over all processes and connections: a central system may match ids across them.
const processPrefix = randomBytes(4).toString('hex')

const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The endpoint and one path segment more; a query stays where it is. */
export function stationUrl(endpoint: string, id: string): string {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${encodeURIComponent(id)}`
  return url.href
}

export function createStation(options: StationOptions): Station {
  let socket: WebSocketClient | undefined
  let sequence = 0
  let sentAt = 0
  let expected = ''
  let outstanding: Settled | undefined
  let lastAnswer: Payload = {}

  function settle(failure: Failure | undefined): void {
    const settled = outstanding
    outstanding = undefined
    settled?.((performance.now() - sentAt) * 1000, failure)
  }

  function command(id: unknown, action: unknown, payload: unknown): void {
    const answer =
      typeof action === 'string' && isObject(payload ?? {})
        ? options.command(action, (payload ?? {}) as Payload)
        : undefined
    if (answer === undefined) socket?.send(`[4,${JSON.stringify(id)},"NotImplemented","",{}]`)
    else socket?.send(`[3,${JSON.stringify(id)},${answer}]`)
  }

  function received(text: string): void {
    let frame: unknown
    try {
      frame = JSON.parse(text)
    } catch {
      frame = undefined
    }
    if (!Array.isArray(frame)) options.unexpected?.('a frame that is no JSON array')
    else if (frame[0] === 2) command(frame[1], frame[2], frame[3])
    else if (outstanding === undefined || frame[1] !== expected)
      options.unexpected?.('an answer to nothing, or too late')
    else if (frame[0] === 3 && isObject(frame[2])) {
      lastAnswer = frame[2]
      settle(undefined)
    } else if (frame[0] === 4) settle({ kind: `CALLERROR ${frame[2]}`, detail: String(frame[3] ?? '') })
    else settle({ kind: 'malformed answer', detail: text })
  }

  const station: Station = {
    id: options.id,
    number: options.number,
    registerWh: options.number * 1_000 + 17,
    transactions: [],
    get open() {
      return socket?.open === true
    },
    get busy() {
      return outstanding !== undefined
    },
    connect() {
      const own: WebSocketClient = connectWebSocket(options.connection, {
        opened: () => options.opened(station),
        text: received,
        closed(code, reason, refusal) {
          if (socket === own) socket = undefined
          settle({ kind: 'connection lost', detail: reason })
          options.closed(reason, code, refusal)
        },
      })
      socket = own
    },
    call(action, payload, settled) {
      sequence++
      expected = `${processPrefix}-${options.number.toString(36)}-${sequence.toString(36)}`
      outstanding = settled
      sentAt = performance.now()
      socket?.send(`[2,"${expected}","${action}",${payload}]`)
    },
    answer: () => lastAnswer,
    expire(sentBefore, kind) {
      if (outstanding !== undefined && sentAt < sentBefore) settle({ kind, detail: '' })
    },
    close: () => socket?.close(),
    drop() {
      const own = socket
      // Gone for its owner at once: what follows from the failure must not be sent on it any more.
      socket = undefined
      own?.destroy()
      settle(dropped)
    },
  }
  return station
}
