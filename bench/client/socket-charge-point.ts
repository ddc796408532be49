// A charge point with a socket, timers and a clock: what the core (../charge-point) is given in a process of its own.

import { randomBytes } from 'node:crypto'
import {
  type ChargePoint,
  type ChargePointEvents,
  type ChargePointOptions,
  createChargePoint,
} from '../charge-point/charge-point.js'
import type { Timetable } from '../charge-point/timetable.js'
import type { Transport } from '../charge-point/transport.js'
import { newCertificateRequest } from './certificate-request.js'
import { createRandom } from './random.js'
import { createTimetable } from './timetable.js'
import { connectWebSocket, type WebSocketOptions } from './websocket.js'

export interface SocketOptions extends Pick<WebSocketOptions, 'localAddress'> {
  readonly tls?: WebSocketOptions['tls'] | undefined
  readonly id: string
  /** The central system's endpoint without the id, ws://host:port/ocpp16, asked for with each connection. */
  readonly url: string | (() => string)
  /** What becomes of each frame on its way out: for charge points that write them in ways of their own. */
  readonly rewrite?: ((frame: string) => string) | undefined
}

export interface SocketChargePointOptions
  extends Omit<
      ChargePointOptions,
      'transport' | 'timetable' | 'now' | 'random' | 'nextMessageId' | 'certificateRequest'
    >,
    SocketOptions {
  readonly seed?: number
  /** Share one among all charge points of a process. */
  readonly timetable?: Timetable
}

export function webSocketTransport({ id, url, tls, localAddress, rewrite }: SocketOptions): Transport {
  return (events, password) => {
    const connection = connectWebSocket(
      {
        url: `${(typeof url === 'string' ? url : url()).replace(/\/$/, '')}/${encodeURIComponent(id)}`,
        subprotocols: ['ocpp1.6'],
        ...(password === undefined ? {} : { username: id, password }),
        ...(tls === undefined ? {} : { tls }),
        ...(localAddress === undefined ? {} : { localAddress }),
      },
      events,
    )
    if (rewrite === undefined) return connection
    return {
      get open() {
        return connection.open
      },
      send: (text) => connection.send(rewrite(text)),
      close: (code, reason) => connection.close(code, reason),
      destroy: () => connection.destroy(),
    }
  }
}

/** Ids that are unique over all connections and processes. */
export function uniqueMessageIds(): () => string {
  const prefix = randomBytes(6).toString('hex')
  let sequence = 0
  return () => `${prefix}-${(++sequence).toString(36)}`
}

export function createSocketChargePoint(
  options: SocketChargePointOptions,
  events: ChargePointEvents = {},
): ChargePoint {
  return createChargePoint(
    {
      ...options,
      transport: webSocketTransport(options),
      timetable: options.timetable ?? createTimetable(),
      now: Date.now,
      random: createRandom(options.seed ?? hash(options.id)),
      nextMessageId: uniqueMessageIds(),
      certificateRequest: newCertificateRequest,
    },
    events,
  )
}

/** A seed of its own for every charge point that was not given one. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}
