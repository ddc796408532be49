// Strangers at a listener with two certificates, who send a ClientHello without end, in crumbs, or never: they cost little and keep
// nobody out.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { type Test, test } from 'tap'
import { createHelloReader } from '../../src/edge/certificate-choice/client-hello.js'
import { limits } from '../../src/edge/certificate-choice/limits.js'
import { createSplice } from '../../src/edge/certificate-choice/splice.js'

/** Records of a ClientHello that says how long it is, each with so much of it. */
function records(claimed: number, perRecord: number, count: number): Buffer {
  const message = Buffer.alloc(perRecord * count)
  Buffer.from([1, claimed >> 16, (claimed >> 8) & 255, claimed & 255]).copy(message)
  const parts = Array.from({ length: count }, (_, at) => message.subarray(at * perRecord, (at + 1) * perRecord))
  return Buffer.concat(parts.flatMap((part) => [Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part]))
}

/** The bytes after which the reader has decided, given one by one. */
function decidedAfter(bytes: Buffer): number {
  const reader = createHelloReader()
  for (let at = 0; at < bytes.length; at++) {
    const { type } = reader.read(bytes.subarray(at, at + 1))
    if (type !== 'incomplete') return at + 1
  }
  return Number.POSITIVE_INFINITY
}

test('waiting clients - what is no ClientHello that anybody sends is seen at once', (t) => {
  t.equal(decidedAfter(records(0xff_ffff, 1, 10_000)), 4 * 6, 'one that says that it has 16 MB')
  t.equal(decidedAfter(records(limits.clientHelloBytes + 1, 100, 10)), 5 + 4)
  t.equal(decidedAfter(records(0, 0, 10_000)), 5 * (limits.clientHelloRecords + 1), 'empty records')
  t.equal(decidedAfter(records(limits.clientHelloBytes, 1, 10_000)), 6 * limits.clientHelloRecords + 5)
  t.end()
})

test('waiting clients - of the longest ClientHello, each byte is copied a bounded number of times', (t) => {
  const count = limits.clientHelloRecords
  const bytes = records(limits.clientHelloBytes, limits.clientHelloBytes / count, count)
  const concat = t.capture(Buffer, 'concat', Buffer.concat)
  const copy = t.capture(Buffer.prototype, 'copy', Buffer.prototype.copy)
  const reader = createHelloReader()
  for (let at = 0; at < bytes.length; at += 100) reader.read(bytes.subarray(at, at + 100))
  const made = concat().map((call) => ('returned' in call ? (call.returned as Buffer).length : 0))
  const copied = copy().map((call) => ('returned' in call ? (call.returned as number) : 0))
  const sum = [...made, ...copied].reduce((one, other) => one + other, 0)
  t.ok(sum < 3 * bytes.length, `${sum} of ${bytes.length}`)
  t.end()
})

interface Stage {
  readonly port: number
  /** Connections that the service behind it has seen. */
  seen(): number
}

async function startSplice(t: Test): Promise<Stage> {
  let seen = 0
  const inner = createServer((socket) => {
    seen++
    socket.on('error', () => undefined)
    socket.end('reached')
  }).listen(0, '127.0.0.1')
  t.teardown(() => inner.close())
  await once(inner, 'listening')
  const splice = createSplice({ portOf: () => (inner.address() as { port: number }).port, otherwise: 'rsa' })
  t.teardown(() => splice.destroy())
  return { port: await splice.listen('127.0.0.1', 0), seen: () => seen }
}

async function enter(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  socket.on('error', () => undefined)
  socket.resume()
  await once(socket, 'connect')
  return socket
}

test('waiting clients - a ClientHello that claims too much goes to the listener while more of it comes', async (t) => {
  const { port, seen } = await startSplice(t)
  const client = await enter(port)
  client.write(records(0xff_ffff, 1, 4))
  await once(client, 'close')
  t.equal(seen(), 1)
})

/** Connections that say nothing. */
function silent(port: number, count: number, localAddress: string): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, () => enter(port, localAddress)))
}

async function reaches({ port }: Stage): Promise<boolean> {
  const client = connect({ host: '127.0.0.1', port })
  client.write('what is no ClientHello is passed on')
  let read = ''
  client.on('error', () => undefined).on('data', (chunk) => (read += chunk))
  await once(client, 'close')
  return read === 'reached'
}

test('waiting clients - however many say nothing, a newcomer is heard, and who has waited longest makes room', async (t) => {
  const stage = await startSplice(t)
  const first = await enter(stage.port, '127.0.0.20')
  const addresses = Math.ceil(limits.waitingHellos / limits.waitingHellosPerAddress)
  const all: Socket[] = []
  for (let at = 1; at <= addresses; at++)
    all.push(...(await silent(stage.port, limits.waitingHellosPerAddress, `127.0.0.${20 + at}`)))
  for (let at = 0; at < 20; at++) t.equal(await reaches(stage), true)
  if (!first.closed) await once(first, 'close')
  for (const socket of all) socket.destroy()
})

test('waiting clients - those of one address make room for each other, and nobody else does for them', async (t) => {
  const { port } = await startSplice(t)
  const other = await enter(port, '127.0.0.20')
  const [oldest, ...rest] = [
    await enter(port, '127.0.0.21'),
    ...(await silent(port, limits.waitingHellosPerAddress, '127.0.0.21')),
  ]
  if (!oldest.closed) await once(oldest, 'close')
  t.equal(other.readyState, 'open')
  t.ok(rest.every((socket) => socket.readyState === 'open'))
  for (const socket of [other, ...rest]) socket.destroy()
})

test('waiting clients - a ClientHello has its time from the beginning, however it trickles in', async (t) => {
  const { port, seen } = await startSplice(t)
  const client = await enter(port)
  const hello = records(100, 100, 1)
  let at = 0
  const drip = setInterval(() => client.write(hello.subarray(at, ++at)), limits.helloWithinMs / 20)
  await once(client, 'close')
  clearInterval(drip)
  t.ok(at >= 15, `${at} bytes were taken first`)
  t.equal(seen(), 0)
})
