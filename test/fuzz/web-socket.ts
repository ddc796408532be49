// A WebSocket client that sends any bytes it is given, after a proper upgrade, and reads what the service says.

import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { createFrameReader } from '../../bench/client/websocket-frames.js'
import { webSocketFrame } from './frames.js'

export interface FuzzSocket {
  readonly open: boolean
  /** Undefined while open; 1006 when the connection was cut. */
  readonly closed: { readonly code: number; readonly reason: string } | undefined
  send(bytes: Buffer): void
  /** Resolves when the kernel has taken what was sent, or the socket is closed. */
  drained(): Promise<void>
  destroy(): void
}

export interface FuzzSocketHandlers {
  text(text: string): void
  /** The service broke the WebSocket protocol. */
  violation(reason: string): void
  closed(): void
}

const handshakeTimeoutMs = 20_000

/** Rejects with the status line when the upgrade is refused. */
export function openFuzzSocket(port: number, path: string, handlers: FuzzSocketHandlers): Promise<FuzzSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let head: Buffer | undefined = Buffer.alloc(0)
    let closed: FuzzSocket['closed']
    const timer = setTimeout(() => socket.destroy(new Error('no answer to the upgrade')), handshakeTimeoutMs)
    const close = (code: number, reason: string): void => {
      closed ??= { code, reason }
    }
    const reader = createFrameReader(
      {
        text: (buffer, start, end) => handlers.text(buffer.toString('utf8', start, end)),
        ping: (payload) => socket.write(webSocketFrame(0x8a, payload)),
        pong() {},
        close(code, reason) {
          close(code, reason)
          socket.end()
        },
        violation(_code, reason) {
          handlers.violation(reason)
          socket.destroy()
        },
      },
      16_777_216,
    )
    const self: FuzzSocket = {
      get open() {
        return closed === undefined
      },
      get closed() {
        return closed
      },
      send: (bytes) => void (closed === undefined && socket.write(bytes)),
      drained: () =>
        socket.writableNeedDrain && closed === undefined
          ? new Promise((done) => {
              socket.once('drain', done)
              socket.once('close', done)
            })
          : Promise.resolve(),
      destroy() {
        close(1006, 'destroyed')
        socket.resetAndDestroy()
      },
    }
    socket.on('data', (chunk) => {
      if (head === undefined) return reader.read(chunk, 0, chunk.length)
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      const rest = head.subarray(end + 4)
      const status = head.toString('latin1', 0, head.indexOf('\r\n'))
      head = undefined
      clearTimeout(timer)
      if (!status.startsWith('HTTP/1.1 101')) {
        reject(new Error(status))
        socket.destroy()
        return
      }
      resolve(self)
      // Frames that came with the answer are told of when the caller has the socket.
      socket.pause()
      setImmediate(() => {
        reader.read(rest, 0, rest.length)
        socket.resume()
      })
    })
    socket.on('error', (error) => {
      reject(error)
      close(1006, error.message)
    })
    socket.on('close', () => {
      clearTimeout(timer)
      reject(new Error('the connection was closed before the upgrade was answered'))
      close(1006, 'connection lost')
      handlers.closed()
    })
    const key = randomBytes(16).toString('base64')
    const lines = ['Host: 127.0.0.1', 'Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Key: ${key}`]
    const more = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Protocol: ocpp1.6']
    socket.write(`GET ${path} HTTP/1.1\r\n${[...lines, ...more].join('\r\n')}\r\n\r\n`)
  })
}
