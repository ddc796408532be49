// One well-behaved charge point: it says what it is asked to say, answers commands, and notes whatever is done to it that it has not
// deserved.

import { setTimeout as delay } from 'node:timers/promises'
import { connectWebSocket, type WebSocketClient } from '../../../bench/client/websocket.js'
import type { Meter } from './meter.js'
import type { Kind } from './neighbours.js'

export interface NeighbourOptions {
  readonly id: string
  readonly port: number
  readonly localAddress: string
  readonly meter: Meter
}

export interface NeighbourChargePoint {
  readonly id: string
  /** Tries until it is let in, and boots. */
  connect(): Promise<void>
  /** Resolves with the answer, or when the socket is gone. */
  call(kind: Kind, action: string, payload: object): Promise<void>
  /** Leaves in order, and connects again. */
  comeAgain(): Promise<void>
}

const againAfterMs = 500

interface Connection {
  socket: WebSocketClient | undefined
  booted: boolean
  /** Told of the end of a connection that the charge point itself has ended. */
  left: (() => void) | undefined
  /** By message id: who waits for the answer. */
  readonly waiting: Map<string, () => void>
}

export function createNeighbour({ id, port, localAddress, meter }: NeighbourOptions): NeighbourChargePoint {
  let current: Connection | undefined
  let number = 0

  function open(): Promise<Connection | undefined> {
    return new Promise((resolve) => {
      const connection: Connection = { socket: undefined, booted: false, left: undefined, waiting: new Map() }
      let opened = false
      connection.socket = connectWebSocket(
        { url: `ws://127.0.0.1:${port}/ocpp16/${id}`, subprotocols: ['ocpp1.6'], localAddress },
        {
          opened() {
            opened = true
            resolve(connection)
          },
          text: (text) => heard(connection, text),
          closed(code, reason, refusal) {
            for (const settle of connection.waiting.values()) settle()
            if (!opened) {
              meter.wrong(`a charge point was refused: ${refusal?.statusCode ?? reason}`)
              resolve(undefined)
            } else if (connection.left === undefined) {
              meter.wrong(`a charge point was disconnected: ${code} ${reason}`)
              void connect()
            } else connection.left()
          },
        },
      )
    })
  }

  function heard({ socket, waiting }: Connection, text: string): void {
    const [type, messageId, action] = JSON.parse(text) as [number, string, string]
    if (type === 2) {
      // Guests are sent away, so that the connector is free for the next one.
      const status = action === 'RemoteStartTransaction' ? 'Rejected' : 'Accepted'
      socket?.send(JSON.stringify([3, messageId, { status }]))
      return
    }
    if (type === 4) meter.wrong(`a charge point got ${text.slice(0, 120)}`)
    waiting.get(messageId)?.()
    waiting.delete(messageId)
  }

  const send = ({ socket, waiting }: Connection, action: string, payload: object): Promise<void> =>
    new Promise((resolve) => {
      const messageId = String(++number)
      waiting.set(messageId, resolve)
      socket?.send(JSON.stringify([2, messageId, action, payload]))
    })

  async function connect(): Promise<void> {
    let connection = await open()
    while (connection === undefined) {
      await delay(againAfterMs)
      connection = await open()
    }
    current = connection
    await send(connection, 'BootNotification', { chargePointVendor: 'ampshard', chargePointModel: 'neighbour' })
    connection.booted = true
  }

  return {
    id,
    connect,
    async call(kind, action, payload) {
      if (current?.booted === true && current.socket?.open === true)
        await meter.time(kind, send(current, action, payload))
    },
    async comeAgain() {
      const connection = current
      if (connection?.socket?.open !== true) return
      await new Promise<void>((resolve) => {
        connection.left = resolve
        connection.socket?.close()
      })
      await connect()
    },
  }
}
