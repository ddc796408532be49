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

/** A client's frame, masked with zeros; over 64 KiB with the long form of the length. */
export function maskedFrame(opcode: number, payload: Buffer): Buffer {
  const first = Buffer.from([0x80 | opcode])
  const mask = Buffer.alloc(4)
  if (payload.length < 126) return Buffer.concat([first, Buffer.from([0x80 | payload.length]), mask, payload])
  const length = Buffer.alloc(payload.length < 65_536 ? 3 : 9)
  length[0] = 0x80 | (payload.length < 65_536 ? 126 : 127)
  if (payload.length < 65_536) length.writeUInt16BE(payload.length, 1)
  else length.writeBigUInt64BE(BigInt(payload.length), 1)
  return Buffer.concat([first, length, mask, payload])
}
