// A client on node:net for what a proper WebSocket library would not do: odd upgrades, broken frames, pings unanswered,
// a peer that is silent. It answers nothing by itself.

import { connect, type Socket } from 'node:net'
import { until } from './until.js'

export interface RawFrame {
  readonly opcode: number
  readonly payload: Buffer
}

export interface RawSocket {
  readonly socket: Socket
  /** The HTTP status that the upgrade was answered with. */
  readonly status: number
  /** Status line and headers as they came. */
  readonly head: string
  /** What followed the head of a refusal. */
  readonly body: () => string
  /** Frames so far, pings and closes included. */
  readonly frames: readonly RawFrame[]
  readonly closed: () => boolean
  text(text: string): void
  binary(bytes: Buffer): void
  pong(): void
  /** The answer to a CALL of the given id. */
  answerTo(messageId: string): Promise<unknown[]>
}

export const opcodes = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

const upgradeHeaders = {
  Host: 'localhost',
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Protocol': 'ocpp1.6',
}

/** `changes` replaces headers of a usual upgrade; undefined leaves one out. `target` goes into the request line as it is. */
export async function rawUpgrade(
  port: number,
  target: string,
  changes: Readonly<Record<string, string | undefined>> = {},
): Promise<RawSocket> {
  const headers: Readonly<Record<string, string | undefined>> = { ...upgradeHeaders, ...changes }
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
  const socket = connect(port, '127.0.0.1')
  let received = Buffer.alloc(0)
  let head: string | undefined
  let closed = false
  const frames: RawFrame[] = []
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
  })
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    if (head === undefined) {
      const end = received.indexOf('\r\n\r\n')
      if (end < 0) return
      head = received.subarray(0, end).toString('latin1')
      received = received.subarray(end + 4)
    }
    if (!head.startsWith('HTTP/1.1 101')) return
    for (let frame = readFrame(received); frame !== undefined; frame = readFrame(received)) {
      received = received.subarray(frame.length)
      frames.push(frame)
    }
  })
  socket.write(`GET ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  const answered = await until(() => head ?? (closed ? '' : undefined))
  const status = Number(answered.split(' ')[1] ?? 0)

  return {
    socket,
    status,
    head: answered,
    body: () => received.toString('utf8'),
    frames,
    closed: () => closed,
    text: (text) => socket.write(maskedFrame(opcodes.text, Buffer.from(text))),
    binary: (bytes) => socket.write(maskedFrame(opcodes.binary, bytes)),
    pong: () => socket.write(maskedFrame(opcodes.pong, Buffer.alloc(0))),
    answerTo: (messageId) =>
      until(() =>
        frames
          .filter(({ opcode }) => opcode === opcodes.text)
          .map(({ payload }) => JSON.parse(payload.toString()) as unknown[])
          .find(([type, id]) => type !== 2 && String(id) === messageId),
      ),
  }
}

function readFrame(bytes: Buffer): (RawFrame & { readonly length: number }) | undefined {
  if (bytes.length < 2) return undefined
  const opcode = (bytes[0] as number) & 0x0f
  const short = (bytes[1] as number) & 0x7f
  const start = short === 126 ? 4 : 2
  if (bytes.length < start) return undefined
  const size = short === 126 ? bytes.readUInt16BE(2) : short
  if (bytes.length < start + size) return undefined
  return { opcode, payload: bytes.subarray(start, start + size), length: start + size }
}

/** A client's frame, whole. */
export const maskedFrame = (opcode: number, payload: Buffer): Buffer => webSocketFrame(0x80 | opcode, payload)

const mask = Buffer.of(0x12, 0xff, 0x00, 0x80)

/** Any frame: `first` is its first byte. */
export function webSocketFrame(first: number, payload: Buffer, masked = true): Buffer {
  const length = payload.length
  const flag = masked ? 0x80 : 0
  const header =
    length < 126
      ? Buffer.of(first, flag | length)
      : length < 65_536
        ? Buffer.of(first, flag | 126, length >> 8, length & 0xff)
        : Buffer.of(
            first,
            flag | 127,
            0,
            0,
            0,
            0,
            length >>> 24,
            (length >> 16) & 0xff,
            (length >> 8) & 0xff,
            length & 0xff,
          )
  if (!masked) return Buffer.concat([header, payload])
  const body = Buffer.from(payload)
  for (let at = 0; at < length; at++) body[at] = (body[at] as number) ^ (mask[at & 3] as number)
  return Buffer.concat([header, mask, body])
}
