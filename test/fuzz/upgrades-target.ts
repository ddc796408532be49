// Fuzzes what comes before a WebSocket: upgrade requests and raw HTTP bytes, whole and in pieces. A valid request in
// between is always let in; whatever else is sent is answered in HTTP, or its connection ends.

import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createRandom, type Random } from '../../bench/client/random.js'
import { between, oneOf } from '../chaos/scenario.js'
import { webSocketFrame } from '../support/raw-socket.js'
import type { Service } from '../support/service.js'
import type { Findings } from './findings.js'
import { hostileValue, jsonOf, mutateBytes } from './values.js'

export interface UpgradesOptions {
  readonly service: Service
  readonly seed: number
  readonly upgrades: number
  readonly until: number
  readonly findings: Findings
  readonly progress: (done: number) => void
}

/** What the two sides of the service, charge points' and API, may answer to bytes of any kind; 500 never. */
const statuses = new Set([101, 200, 204, 400, 401, 403, 404, 405, 413, 415, 426, 431, 503, 505])
const answerWithinMs = 10_000
/** A request that is not whole is not answered; it is dropped after this. */
const incompleteMs = 30
const together = 24
const keyBytes = 'dGhlIHNhbXBsZSBub25jZQ=='
const accept = createHash('sha1').update(`${keyBytes}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')

const probe = webSocketFrame(0x81, Buffer.from('[2,"probe","Heartbeat",{}]'))

export interface UpgradeInput {
  readonly chunks: readonly Buffer[]
  /** What must come back: an upgrade, any answer, or nothing in particular. */
  readonly expects: 'upgrade' | 'answer' | 'anything'
}

export async function fuzzUpgrades(
  options: UpgradesOptions,
): Promise<{ upgrades: number; answered: number; letIn: number }> {
  const { service, findings } = options
  let left = options.upgrades
  let done = 0
  let answered = 0
  let letIn = 0
  async function worker(index: number): Promise<void> {
    const random = createRandom(options.seed * 1_000 + 700 + index)
    const id = `FUZZ-UP-${options.seed}-${index}`
    await service.register(id)
    while (left-- > 0 && performance.now() < options.until) {
      const input = nextUpgrade(random, id)
      const { status, wrong } = await exchange(service.port, input)
      if (status !== undefined) answered++
      if (status === 101) letIn++
      if (wrong !== undefined)
        findings.add(wrong, { target: 'upgrades', chunks: input.chunks.map((chunk) => chunk.toString('base64')) })
      if (++done % 500 === 0) options.progress(done)
    }
  }
  await Promise.all(Array.from({ length: together }, (_, index) => worker(index)))
  return { upgrades: done, answered, letIn }
}

/** Sends the chunks on a connection of their own, and judges what comes back. */
export async function exchange(
  port: number,
  { chunks, expects }: UpgradeInput,
): Promise<{ readonly status: number | undefined; readonly wrong: string | undefined }> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let received = Buffer.alloc(0)
  let closed = false
  let refusedToConnect = false
  let wake: () => void = () => {}
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    wake()
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    refusedToConnect = error.code === 'ECONNREFUSED'
  })
  socket.on('close', () => {
    closed = true
    wake()
  })
  for (const [at, chunk] of chunks.entries()) {
    if (at > 0) await delay(1)
    if (!closed) socket.write(chunk)
  }
  let probed = expects !== 'upgrade'
  const deadline = performance.now() + (expects === 'anything' ? incompleteMs : answerWithinMs)
  const enough = (): boolean =>
    closed || (expects === 'upgrade' ? received.includes('"probe"') : received.includes('\r\n\r\n'))
  while (!enough() && performance.now() < deadline) {
    // A client speaks when it has been let in, not before (RFC 6455, 4.1).
    if (!probed && received.includes('\r\n\r\n')) {
      probed = true
      socket.write(probe)
    }
    await Promise.race([new Promise<void>((resolve) => (wake = resolve)), delay(incompleteMs)])
  }
  socket.resetAndDestroy()
  if (refusedToConnect) return { status: undefined, wrong: 'the service takes no connections' }
  // Who expects 100 Continue is told it before the answer.
  const answer = received.toString('latin1').replace(/^(HTTP\/1\.1 100 Continue\r\n\r\n)+/, '')
  const status = answer === '' ? undefined : Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1])
  return { status, wrong: judge(expects, status, received, closed) }
}

function judge(expects: UpgradeInput['expects'], status: number | undefined, received: Buffer, closed: boolean) {
  const start = received.toString('latin1', 0, 300)
  if (status !== undefined && !statuses.has(status)) return `an answer to raw bytes that is not defined: ${start}`
  if (expects === 'answer' && status === undefined && !closed) return 'a whole request had no answer'
  if (expects !== 'upgrade') return undefined
  if (status !== 101) return `a valid upgrade was refused: ${start || 'no answer'}`
  if (!received.includes(`\r\nSec-WebSocket-Accept: ${accept}\r\n`)) return `a wrong Sec-WebSocket-Accept: ${start}`
  return received.includes('"probe"') ? undefined : 'a valid frame right behind the upgrade was not answered'
}

function headers(random: Random): [string, string][] {
  const list: [string, string][] = [
    ['Host', 'localhost'],
    ['Upgrade', 'websocket'],
    ['Connection', 'Upgrade'],
    ['Sec-WebSocket-Key', keyBytes],
    ['Sec-WebSocket-Version', '13'],
    ['Sec-WebSocket-Protocol', oneOf(random, ['ocpp1.6', 'ocpp1.6, ocpp2.0.1', 'OCPP1.6'])],
  ]
  return list
}

function requestOf(method: string, target: string, list: readonly (readonly [string, string])[], body = ''): string {
  return `${method} ${target} HTTP/1.1\r\n${list.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

const oddTargets = [
  ...[
    '/',
    '*',
    '/ocpp16',
    '/ocpp16/',
    '//ocpp16//FUZZ-UPGRADE',
    '/ocpp16/%46UZZ-UPGRADE',
    '/ocpp16/%',
    '/ocpp16/%zz',
    '/ocpp16/%00',
  ],
  ...[
    '/ocpp16/..%2f..',
    '/ocpp16/a/b/c/FUZZ-UPGRADE?x=1',
    'http://localhost/ocpp16/FUZZ-UPGRADE',
    '/ocpp16/ü',
    '/api/v1/sessions',
  ],
  ...['/docs/../../package.json', '/docs/%2e%2e/x', '/healthz', '/metrics', '/?', '/#', 'ocpp16', '/ocpp16/__proto__'],
]
const oddHeaders: readonly (readonly [string, string])[] = [
  ['Content-Length', '-1'],
  ['Content-Length', '99999999999999999999'],
  ['Content-Length', '5'],
  ['Content-Length', '0x5'],
  ['Transfer-Encoding', 'chunked'],
  ['Transfer-Encoding', 'chunked, identity'],
  ['Transfer-Encoding', 'gzip'],
  ['Sec-WebSocket-Key', ''],
  ['Sec-WebSocket-Key', 'x'.repeat(3_000)],
  ['Sec-WebSocket-Version', '8'],
  ['Sec-WebSocket-Protocol', ','.repeat(500)],
  ['Sec-WebSocket-Protocol', 'ocpp2.0.1'],
  ['Sec-WebSocket-Extensions', 'permessage-deflate; client_max_window_bits'],
  ['Authorization', 'Basic '],
  ['Authorization', 'Basic !!!!'],
  ['Authorization', `Basic ${'QUFB'.repeat(800)}`],
  ['Authorization', 'Bearer'],
  ['Expect', '100-continue'],
  ['Host', ''],
  ['Cookie', 'a'.repeat(2_000)],
  ['X-Odd', '\u0001\u007f'],
  ['', 'no name'],
  ['__proto__', 'x'],
]

export function nextUpgrade(random: Random, id: string): UpgradeInput {
  const valid = Buffer.from(requestOf('GET', `/ocpp16/${id}`, headers(random)))
  const choice = random()
  if (choice < 0.1) {
    // This version of uWebSockets.js refuses a request line that is cut (uNetworking/uWebSockets #1776).
    const line = valid.indexOf('\r\n') + 2
    const [first = valid, ...rest] = pieces(valid.subarray(line), random)
    return { chunks: [Buffer.concat([valid.subarray(0, line), first]), ...rest], expects: 'upgrade' }
  }
  if (choice < 0.15)
    return {
      chunks: [Buffer.concat([valid, probe.subarray(0, between(random, 1, probe.length))])],
      expects: 'anything',
    }
  if (choice < 0.45) return { chunks: pieces(mutateBytes(valid, random), random), expects: 'anything' }
  if (choice < 0.5) return { chunks: [valid.subarray(0, between(random, 0, valid.length - 40))], expects: 'anything' }
  return { chunks: pieces(Buffer.from(oddRequest(random, id), 'latin1'), random), expects: 'anything' }
}

function oddRequest(random: Random, id: string): string {
  const list = headers(random)
  return oneOf(random, [
    () => requestOf('GET', oneOf(random, oddTargets), list),
    () =>
      requestOf(
        oneOf(random, ['POST', 'PUT', 'get', 'G', 'CONNECT', 'TRACE', 'PRI', 'X'.repeat(300)]),
        `/ocpp16/${id}`,
        list,
      ),
    () => requestOf('GET', `/ocpp16/${id}`, [...list, oneOf(random, oddHeaders)]),
    () => requestOf('GET', `/ocpp16/${id}`, [oneOf(random, oddHeaders), ...list]),
    () =>
      requestOf(
        'GET',
        `/ocpp16/${id}`,
        list.filter(() => random() < 0.7),
      ),
    () =>
      requestOf('GET', `/ocpp16/${id}`, [
        ...list,
        ...Array.from({ length: between(random, 20, 300) }, (_, at) => [`X-${at}`, 'v'] as const),
      ]),
    () => requestOf('GET', `/ocpp16/${'a'.repeat(between(random, 1_000, 9_000))}`, list),
    () =>
      requestOf(
        'POST',
        '/api/v1/sessions',
        [
          ['Host', 'a'],
          ['Transfer-Encoding', 'chunked'],
        ],
        chunked(random),
      ),
    () =>
      requestOf('POST', '/api/v1/id-tags', [['Host', 'a'], oneOf(random, oddHeaders)], jsonOf(hostileValue(random))),
    () => requestOf('GET', '/healthz', [['Host', 'a']]).repeat(between(random, 2, 20)),
    () => `${requestOf('GET', '/healthz', [['Host', 'a']])}${'\u0000'.repeat(between(random, 1, 100))}`,
    () => requestOf('GET', `/ocpp16/${id}`, list).replaceAll('\r\n', '\n'),
    () =>
      requestOf('GET', `/ocpp16/${id}`, list).replace(
        'HTTP/1.1',
        oneOf(random, ['HTTP/1.0', 'HTTP/2.0', 'HTTP/9', '']),
      ),
    () => requestOf('GET', `/ocpp16/${id}`, list).replace(': ', oneOf(random, [':', ' : ', ';', '\u0000: ', '\r\n '])),
    () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
    () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    () => '\r\n'.repeat(between(random, 1, 3_000)),
  ])()
}

function chunked(random: Random): string {
  return oneOf(random, [
    '5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n',
    'ffffffffffffffff\r\nx',
    '-1\r\n\r\n',
    'zz\r\n\r\n',
    '5;ext=1\r\n12345\r\n0\r\nTrailer: x\r\n\r\n',
    '0\r\n\r\n',
    '5\r\n12345678\r\n0\r\n\r\n',
    '0000000000000000000000000005\r\n12345\r\n0\r\n\r\n',
  ])
}

/** Most in one piece, the others cut somewhere. */
function pieces(bytes: Buffer, random: Random): Buffer[] {
  if (random() < 0.6 || bytes.length < 3) return [bytes]
  const cuts = Array.from({ length: between(random, 1, 4) }, () => between(random, 1, bytes.length - 1)).sort(
    (a, b) => a - b,
  )
  return [0, ...cuts]
    .map((cut, at) => bytes.subarray(cut, cuts[at] ?? bytes.length))
    .filter((piece) => piece.length > 0)
}
