// Bursts of what has no end, and connections that are left half-way: what they send, and how they read and wait. Each is short, so that many
// kinds meet each other.

import type { Random } from '../../bench/client/random.js'
import { upgradeRequest } from '../chaos/hostile/upgrade-request.js'
import { between, oneOf } from '../chaos/scenario.js'
import { webSocketFrame } from '../support/raw-socket.js'

export interface Flood {
  readonly name: string
  /** Sent in turn, with a pause after each. */
  readonly parts: readonly Buffer[]
  readonly pauseMs: number
  /** How many bytes of answers are read before nothing is read any more. */
  readonly readBytes: number
  /** How long the connection is held after the last part. */
  readonly holdMs: number
}

const burstBytes = 200_000
const everything = Number.POSITIVE_INFINITY

function repeated(unit: Buffer, bytes = burstBytes): Buffer {
  return Buffer.concat(Array.from({ length: Math.max(1, Math.floor(bytes / unit.length)) }, () => unit))
}

const empty = Buffer.alloc(0)
const call = (random: Random): Buffer =>
  webSocketFrame(0x81, Buffer.from(`[2,"${between(random, 0, 1e9)}","Heartbeat",{}]`))

/** What a charge point says behind its upgrade; the frames are right in form, all but the last kinds. */
const ofFrames: readonly [string, (random: Random) => Buffer[]][] = [
  ['pings', (random) => [repeated(webSocketFrame(0x89, Buffer.alloc(between(random, 0, 125))))]],
  ['pongs', (random) => [repeated(webSocketFrame(0x8a, Buffer.alloc(between(random, 0, 125))))]],
  ['pings between calls', (random) => [repeated(Buffer.concat([webSocketFrame(0x89, empty), call(random)]))]],
  ['empty fragments', () => [webSocketFrame(0x01, empty), repeated(webSocketFrame(0x00, empty))]],
  ['fragments of a byte', () => [webSocketFrame(0x01, empty), repeated(webSocketFrame(0x00, Buffer.of(0x20)))]],
  [
    'fragments and pings',
    () => [
      webSocketFrame(0x01, empty),
      repeated(Buffer.concat([webSocketFrame(0x00, empty), webSocketFrame(0x89, empty)])),
    ],
  ],
  ['calls', (random) => [repeated(call(random))]],
  [
    'calls in fragments',
    () => [
      repeated(
        Buffer.concat([
          webSocketFrame(0x01, Buffer.from('[2,"1",')),
          webSocketFrame(0x80, Buffer.from('"Heartbeat",{}]')),
        ]),
      ),
    ],
  ],
  ['a close frame and more', (random) => [webSocketFrame(0x88, Buffer.of(0x03, 0xe8)), repeated(call(random), 20_000)]],
  ['close frames', () => [repeated(webSocketFrame(0x88, empty))]],
  ['empty texts', () => [repeated(webSocketFrame(0x81, empty))]],
  ['a long frame, byte by byte', (random) => slowly(webSocketFrame(0x81, Buffer.alloc(60_000, 0x20)), random)],
]

const request = (line: string, more: readonly string[] = [], body = ''): string =>
  `${line} HTTP/1.1\r\nHost: x\r\n${more.map((header) => `${header}\r\n`).join('')}\r\n${body}`

const lines = [
  ...['GET /healthz', 'GET /readyz', 'GET /metrics', 'GET /docs/', 'GET /docs/swagger-ui-bundle.js'],
  ...[
    'GET /api/v1/sessions',
    'GET /api/v1/openapi.json',
    'HEAD /healthz',
    'OPTIONS *',
    'GET /nothing',
    'DELETE /api/v1/x',
  ],
]

const posted = (length: number, body: string): string =>
  request('POST /api/v1/id-tags', ['Content-Type: application/json', `Content-Length: ${length}`], body)

/** What a stranger says in HTTP. */
const ofRequests: readonly [string, (random: Random) => Buffer[]][] = [
  ['pipelined requests', (random) => [repeated(Buffer.from(request(oneOf(random, lines))))]],
  [
    'mixed pipelined requests',
    (random) => [
      Buffer.from(Array.from({ length: between(random, 2, 500) }, () => request(oneOf(random, lines))).join('')),
    ],
  ],
  ['pipelined bodies', () => [repeated(Buffer.from(posted(2, '{}')))]],
  ['pipelined upgrades', (random) => [repeated(Buffer.from(upgradeRequest(`NOBODY-${between(random, 0, 99)}`)))]],
  ['a slow head', (random) => slowly(Buffer.from(request(oneOf(random, lines), ['X-Slow: yes'])), random)],
  [
    'a head without an end',
    () => [Buffer.from(request('GET /healthz').slice(0, -2)), repeated(Buffer.from('X-A: b\r\n'))],
  ],
  ['a slow body', (random) => slowly(Buffer.from(posted(1_000, 'x'.repeat(1_000))), random)],
  ['a body less a byte', () => [Buffer.from(posted(1_048_576, ' '.repeat(1_048_575)))]],
  [
    'chunks without an end',
    () => [
      Buffer.from(request('POST /api/v1/id-tags', ['Transfer-Encoding: chunked'])),
      repeated(Buffer.from('1\r\n \r\n')),
    ],
  ],
]

/** In some dozens of parts, so that it takes a while. */
function slowly(bytes: Buffer, random: Random): Buffer[] {
  const part = Math.max(1, Math.ceil(bytes.length / between(random, 5, 30)))
  return Array.from({ length: Math.ceil(bytes.length / part) }, (_, at) => bytes.subarray(at * part, (at + 1) * part))
}

export function nextFlood(random: Random, chargePointId: string): Flood {
  const onSocket = random() < 0.5
  const [name, make] = oneOf(random, onSocket ? ofFrames : ofRequests)
  const parts = make(random)
  return {
    name,
    parts: onSocket ? [Buffer.from(upgradeRequest(chargePointId)), ...parts] : parts,
    pauseMs: oneOf(random, [0, 1, 30]),
    readBytes: oneOf(random, [everything, everything, 0, 100, 10_000]),
    holdMs: oneOf(random, [0, 50, 500]),
  }
}
