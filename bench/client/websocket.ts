// A WebSocket client made to be cheap: one shared read buffer, one write per message, nothing allocated per message
// beyond the text. It offers no compression and knows nothing of OCPP.

import { createHash, randomBytes } from 'node:crypto'
import { connect as connectTcp, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { Refusal } from '../charge-point/transport.js'
import { closeFrame, createFrameReader, pingFrame, pongFrame, textFrame } from './websocket-frames.js'

export interface WebSocketOptions {
  /** ws:// or wss://, with the full path. */
  readonly url: string
  readonly subprotocols?: readonly string[]
  /** Basic credentials; a password may be any bytes. */
  readonly username?: string
  readonly password?: string | Buffer
  /** Source address, so that one machine can open more connections than one address has ports. */
  readonly localAddress?: string
  readonly tls?: ConnectionOptions
  readonly maximumMessageBytes?: number
  readonly handshakeTimeoutMs?: number
}

export interface WebSocketHandlers {
  opened?(subprotocol: string | undefined): void
  text?(text: string): void
  /** The bytes of a message, in place of `text`; valid only during the call. */
  bytes?(buffer: Buffer, start: number, end: number): void
  pong?(): void
  /** The server broke the WebSocket protocol; the connection is being closed for it. */
  violation?(reason: string): void
  /** Once, whatever happened. 1006 when the connection was lost or never came up. */
  closed?(code: number, reason: string, refusal?: Refusal): void
}

export interface WebSocketClient {
  readonly open: boolean
  /** Bytes accepted by `send` that the kernel has not taken. */
  readonly waitingBytes: number
  send(text: string): void
  /** Sends bytes as they are, whatever they are to a reader of frames. */
  sendBytes(bytes: Buffer): void
  /** Resolves when the kernel has taken what was sent, or the connection is gone. */
  drained(): Promise<void>
  ping(): void
  /** Sends a close frame and waits for the other side's, a second at most. */
  close(code?: number, reason?: string): void
  /** Drops the connection without a word, as a power cut does. */
  destroy(): void
}

const defaults = { maximumMessageBytes: 1_048_576, handshakeTimeoutMs: 20_000, closeTimeoutMs: 1_000 }
const handshakeLimitBytes = 16_384
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
// Node reads one socket at a time and calls back before the next read, so every plain connection can share it.
const sharedReadBuffer = Buffer.allocUnsafeSlow(65_536)

function handshakeRequest(url: URL, key: string, options: WebSocketOptions): string {
  const lines = [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${key}`,
    'Sec-WebSocket-Version: 13',
  ]
  if (options.subprotocols?.length) lines.push(`Sec-WebSocket-Protocol: ${options.subprotocols.join(', ')}`)
  if (options.password !== undefined) {
    const credentials = Buffer.concat([Buffer.from(`${options.username ?? ''}:`), Buffer.from(options.password)])
    lines.push(`Authorization: Basic ${credentials.toString('base64')}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}

function header(head: string, name: string): string | undefined {
  return new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*\\r?$`, 'im').exec(head)?.[1]
}

export function connectWebSocket(options: WebSocketOptions, handlers: WebSocketHandlers): WebSocketClient {
  const url = new URL(options.url)
  const secure = url.protocol === 'wss:'
  const key = randomBytes(16).toString('base64')
  let state: 'connecting' | 'open' | 'closing' | 'closed' = 'connecting'
  let head = ''
  let outcome: { code: number; reason: string; refusal?: Refusal } = { code: 1006, reason: 'connection lost' }
  let timer: NodeJS.Timeout | undefined

  const reader = createFrameReader(
    {
      text(buffer, start, end) {
        if (state !== 'open') return
        if (handlers.bytes) handlers.bytes(buffer, start, end)
        else handlers.text?.(buffer.toString('utf8', start, end))
      },
      ping(payload) {
        if (state === 'open') socket.write(pongFrame(payload))
      },
      pong: () => handlers.pong?.(),
      close(code, reason) {
        outcome = { code, reason }
        if (state === 'open') socket.write(closeFrame(code === 1005 ? 1000 : code, ''))
        state = 'closing'
        socket.end()
      },
      violation(code, reason) {
        handlers.violation?.(reason)
        leave(code, reason)
      },
    },
    options.maximumMessageBytes ?? defaults.maximumMessageBytes,
  )

  function leave(code: number, reason: string): void {
    if (state === 'closed' || state === 'closing') return
    outcome = { code, reason }
    if (state === 'connecting') {
      socket.destroy()
      return
    }
    state = 'closing'
    socket.write(closeFrame(code, reason))
    timer = setTimeout(() => socket.destroy(), defaults.closeTimeoutMs)
  }

  function refuse(reason: string, refusal?: Refusal): void {
    outcome = refusal ? { code: 1006, reason, refusal } : { code: 1006, reason }
    socket.destroy()
  }

  /** Reads the answer to the handshake; what follows it are frames already. */
  function handshake(chunk: Buffer, end: number): void {
    const before = head.length
    head += chunk.toString('latin1', 0, end)
    const headEnd = head.indexOf('\r\n\r\n')
    if (headEnd === -1) {
      if (head.length > handshakeLimitBytes) refuse('endless handshake')
      return
    }
    const consumed = headEnd + 4 - before
    const text = head.slice(0, headEnd)
    head = ''
    const statusCode = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
    if (statusCode !== 101) {
      const retryAfter = Number(header(text, 'retry-after'))
      refuse(`HTTP ${statusCode}`, {
        statusCode,
        retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
      })
      return
    }
    const accept = createHash('sha1').update(`${key}${acceptSuffix}`).digest('base64')
    if (header(text, 'sec-websocket-accept') !== accept) {
      refuse('wrong Sec-WebSocket-Accept')
      return
    }
    clearTimeout(timer)
    timer = undefined
    state = 'open'
    handlers.opened?.(header(text, 'sec-websocket-protocol'))
    if (consumed < end) reader.read(chunk, consumed, end)
  }

  function received(chunk: Buffer, end: number): void {
    if (state === 'connecting') handshake(chunk, end)
    else if (state !== 'closed') reader.read(chunk, 0, end)
  }

  const address = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (secure ? 443 : 80)),
    ...(options.localAddress === undefined ? {} : { localAddress: options.localAddress }),
  }
  const start = (): void => {
    socket.write(handshakeRequest(url, key, options), 'latin1')
  }
  const socket: Socket = secure
    ? connectTls({ servername: url.hostname, ...options.tls, ...address }, start)
    : connectTcp(
        {
          ...address,
          noDelay: true,
          onread: {
            buffer: sharedReadBuffer,
            callback(bytes: number, buffer: Uint8Array): boolean {
              received(buffer as Buffer, bytes)
              return true
            },
          },
        },
        start,
      )
  if (secure) {
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => received(chunk, chunk.length))
  }
  socket.on('error', (error) => {
    if (state !== 'closing') outcome = { ...outcome, reason: outcome.refusal ? outcome.reason : error.message }
  })
  socket.on('close', () => {
    clearTimeout(timer)
    state = 'closed'
    handlers.closed?.(outcome.code, outcome.reason, outcome.refusal)
  })
  timer = setTimeout(() => refuse('handshake timed out'), options.handshakeTimeoutMs ?? defaults.handshakeTimeoutMs)

  return {
    get open() {
      return state === 'open'
    },
    get waitingBytes() {
      return socket.writableLength
    },
    send(text) {
      if (state !== 'open') return
      const frame = textFrame(text)
      if (typeof frame === 'string') socket.write(frame, 'latin1')
      else socket.write(frame)
    },
    sendBytes(bytes) {
      if (state === 'open') socket.write(bytes)
    },
    drained: () =>
      new Promise((resolve) => {
        if (!socket.writableNeedDrain) return resolve()
        function settle(): void {
          socket.off('drain', settle)
          socket.off('close', settle)
          resolve()
        }
        socket.on('drain', settle)
        socket.on('close', settle)
      }),
    ping() {
      if (state === 'open') socket.write(pingFrame())
    },
    close: (code = 1000, reason = '') => leave(code, reason),
    destroy() {
      outcome = { code: 1006, reason: 'dropped' }
      socket.destroy()
    },
  }
}
