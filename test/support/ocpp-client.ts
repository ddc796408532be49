// An OCPP client on the `ws` package, for tests that look at single frames: it sends what it is told and remembers what came.

import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { WebSocket } from 'ws'
import { until } from './until.js'

export interface OcppClient {
  readonly socket: WebSocket
  /** Sends a CALL and resolves with the answer: its payload, or the CALLERROR. */
  call(action: string, payload: unknown, messageId?: string): Promise<OcppAnswer>
  /** Sends text as it is. */
  raw(text: string): void
  /** The next frame that is not the answer to a call. */
  nextFrame(): Promise<unknown[]>
  /** Answers the next CALL of the service and resolves with it. */
  answerNext(payload: unknown): Promise<unknown[]>
  /** Boots; most messages are taken only after this. */
  boot(fields?: Readonly<Record<string, unknown>>): Promise<OcppAnswer>
  close(): Promise<void>
  /** Resolves when the socket is closed, by whomever. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
}

export interface OcppAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
  readonly payload: any
  /** The CALLERROR's code, for an answer that is one. */
  readonly error: string | undefined
}

export interface OcppClientOptions {
  readonly subprotocols?: readonly string[]
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly tls?: Readonly<Record<string, unknown>>
  /** Pings are answered unless it is false. */
  readonly autoPong?: boolean
}

class Refused extends Error {
  readonly body: string

  constructor(status: number | undefined, body: string) {
    super(`HTTP ${status}`)
    this.body = body
  }
}

/** Rejects with `HTTP <status>` when the upgrade is refused. Where the service is overloaded, it tries again, as charge points do. */
export function connectOcpp(url: string, options: OcppClientOptions = {}): Promise<OcppClient> {
  return until(() =>
    connectOnce(url, options).catch((error: unknown) => {
      if (error instanceof Refused && error.body.startsWith('overloaded:')) return undefined
      throw error
    }),
  )
}

async function connectOnce(url: string, options: OcppClientOptions): Promise<OcppClient> {
  const socket = new WebSocket(url, [...(options.subprotocols ?? ['ocpp1.6'])], {
    headers: { ...options.headers },
    autoPong: options.autoPong ?? true,
    ...options.tls,
  })
  const waiting = new Map<string, (answer: OcppAnswer) => void>()
  const frames: unknown[][] = []
  const readers: ((frame: unknown[]) => void)[] = []
  let counter = 0

  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  socket.on('message', (data) => {
    const frame = JSON.parse(data.toString()) as unknown[]
    const waiter = frame[0] === 2 ? undefined : waiting.get(String(frame[1]))
    if (waiter !== undefined) {
      waiting.delete(String(frame[1]))
      waiter(frame[0] === 3 ? { payload: frame[2], error: undefined } : { payload: frame[4], error: String(frame[2]) })
      return
    }
    const reader = readers.shift()
    if (reader === undefined) frames.push(frame)
    else reader(frame)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_, response) => {
      void text(response)
        .catch(() => '')
        .then((body) => {
          reject(new Refused(response.statusCode, body))
          socket.terminate()
        })
    })
    socket.once('error', reject)
  })
  socket.on('error', () => {})

  const nextFrame = (): Promise<unknown[]> => {
    const frame = frames.shift()
    return frame === undefined ? new Promise((resolve) => readers.push(resolve)) : Promise.resolve(frame)
  }
  const call = (action: string, payload: unknown, messageId = `m${++counter}`): Promise<OcppAnswer> =>
    new Promise((resolve) => {
      waiting.set(messageId, resolve)
      socket.send(JSON.stringify([2, messageId, action, payload]))
    })

  return {
    socket,
    call,
    raw: (text) => socket.send(text),
    nextFrame,
    async answerNext(payload) {
      const frame = await nextFrame()
      socket.send(JSON.stringify([3, frame[1], payload]))
      return frame
    },
    boot: (fields = {}) =>
      call('BootNotification', { chargePointVendor: 'Vendor', chargePointModel: 'Model', ...fields }),
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return
      socket.close()
      await once(socket, 'close')
    },
    closed,
  }
}

/** An answer, and not one for now. */
const isFinal = (refusal: string): boolean => /^HTTP \d+$/.test(refusal) && !['HTTP 429', 'HTTP 503'].includes(refusal)

/**
 * Knocks until it is refused for good: a service that has much to do sends strangers away for a while, and looks at nothing of them. Resolves
 * with why; rejects where it is let in.
 */
export function refusedFor(url: string, options: OcppClientOptions = {}): Promise<string> {
  return until(async () => {
    const refusal = await connectOcpp(url, options).then(
      async (client) => {
        await client.close()
        throw new Error(`${url} was let in`)
      },
      (error: Error) => error.message,
    )
    return isFinal(refusal) && refusal
  })
}
