// One time for everything: a call ends when it is over, in whichever phase it is then, and what it held is let go.

import { test } from 'tap'
import { createOutboundClient } from '../../../src/jobs/outbound/client.js'
import { limits } from '../../../src/jobs/outbound/limits.js'
import { systemClock } from '../../../src/runtime/clock.js'
import { startDnsServer } from '../../support/dns-server.js'
import { until } from '../../support/until.js'
import { makeClient, post } from './canary.js'
import { answerOf, startReceiver } from './receiver.js'

const timeoutMs = 300
/** How long a name server has for one question (src/jobs/outbound/resolver.ts). */
const questionMs = 2_000
const inTime = { type: 'failed', reason: 'timeout', message: /within 300 ms/ }

test('outbound - a name server that says nothing takes the time of the call, and no more', async (t) => {
  const dns = await startDnsServer(t, () => undefined)
  const outcome = await makeClient(t, false, dns.address).request(post('https://silent.example.com/', { timeoutMs }))
  t.match(outcome, inTime)
  t.ok(outcome.milliseconds >= timeoutMs - 1)
})

test('outbound - names that no server answers for hold up no others', async (t) => {
  const dns = await startDnsServer(t, (name) => (name.startsWith('silent') ? undefined : ['127.0.0.1']))
  const receiver = await startReceiver(t, (socket) => socket.write(answerOf('200 OK', 'ok')))
  const client = makeClient(t, true, dns.address)
  let ended = 0
  const silent = Array.from({ length: 50 }, async (_, index) => {
    const url = `http://silent-${index}.example.com:${receiver.port}/`
    const outcome = await client.request(post(url, { timeoutMs: 3_000 }))
    ended++
    return outcome
  })
  const outcome = await client.request(post(`http://prompt.example.com:${receiver.port}/`))
  t.match(outcome, { type: 'answered', status: 200 })
  t.equal(ended, 0, 'it did not wait for one of them')
  t.ok((await Promise.all(silent)).every((one) => one.type === 'failed' && one.reason === 'timeout'))
})

test('outbound - a name server that answers for one family only holds up nothing', async (t) => {
  const receiver = await startReceiver(t, (socket) => socket.write(answerOf('200 OK', 'ok')))
  const dns = await startDnsServer(t, (_, __, type) => (type === 'A' ? ['127.0.0.1'] : undefined))
  const outcome = await makeClient(t, true, dns.address).request(post(`http://four.example.com:${receiver.port}/`))
  t.match(outcome, { type: 'answered', status: 200 })
  t.ok(outcome.milliseconds < questionMs, String(outcome.milliseconds))
})

test('outbound - a host that connects, and begins no TLS, takes the time of the call, and no more', async (t) => {
  const silent = await startReceiver(t, () => {})
  const outcome = await makeClient(t, true).request(post(`https://127.0.0.1:${silent.port}/`, { timeoutMs }))
  t.match(outcome, inTime)
})

test('outbound - an answer that is late is a timeout, and the connection is closed', async (t) => {
  const receiver = await startReceiver(t, () => {})
  const outcome = await makeClient(t, true).request(post(receiver.url, { timeoutMs }))
  t.match(outcome, inTime)
  await until(() => receiver.open() === 0)
})

test('outbound - a body that is late is a timeout, however fast its head was', async (t) => {
  const receiver = await startReceiver(t, (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no'))
  for (const readBody of [true, false])
    t.match(await makeClient(t, true).request(post(receiver.url, { timeoutMs, readBody })), inTime)
  await until(() => receiver.open() === 0)
})

test('outbound - a request that is out of time while it waits for its connection is not sent when it gets one', async (t) => {
  const receiver = await startReceiver(t, (socket) => socket.write(answerOf('200 OK', 'ok')))
  let answerNames: (addresses: readonly string[]) => void = () => {}
  const client = createOutboundClient({
    allowInsecure: true,
    resolve: () => new Promise((resolve) => (answerNames = resolve)),
    clock: systemClock,
    userAgent: 'ampshard/test',
  })
  t.teardown(() => client.close())
  const url = `http://late.example.com:${receiver.port}/`
  t.match(await client.request(post(url, { timeoutMs })), inTime)
  answerNames(['127.0.0.1'])
  await until(() => receiver.connections() === 1)
  t.match(await client.request(post(url, { body: 'second' })), { type: 'answered' })
  t.equal(receiver.requests.length, 1)
  t.equal(receiver.connections(), 1)
  t.match(receiver.requests[0], /second$/)
})

test('outbound - a slow origin holds a share of the client, and what waits for it does so for its patience', async (t) => {
  const slow = await startReceiver(t, () => {})
  const prompt = await startReceiver(t, (socket) => socket.write(answerOf('200 OK', 'ok')))
  const client = makeClient(t, true)
  const call = (milliseconds: number): Promise<string> =>
    client.request(post(slow.url, { timeoutMs: milliseconds })).then(
      ({ type }) => type,
      (error: Error) => error.message,
    )
  let ended = 0
  const under = Array.from({ length: limits.outboundRequestsPerOrigin }, () => call(4_000).finally(() => ended++))
  await until(() => slow.requests.length === under.length)
  const waiting = Array.from({ length: 50 }, () => call(500))
  const other = await client.request(post(prompt.url))
  t.match(other, { type: 'answered', status: 200 })
  t.equal(ended, 0, 'it did not wait for one of them')
  t.same(new Set(await Promise.all(waiting)), new Set(['the connections of its origin were busy']))
  t.equal(slow.requests.length, under.length, 'those were not sent')
  t.same(new Set(await Promise.all(under)), new Set(['failed']))
})

test('outbound - more calls than an origin may have waiting are turned away, and were not sent', async (t) => {
  const receiver = await startReceiver(t, () => {})
  const client = makeClient(t, true)
  const room = limits.outboundConnectsPerOrigin + limits.outboundWaitingPerOrigin
  const outcomes = Array.from({ length: room + 10 }, () =>
    client.request(post(receiver.url, { timeoutMs: 1_000 })).then(
      () => 'sent',
      () => 'turned away',
    ),
  )
  const settled = await Promise.all(outcomes)
  t.ok(settled.filter((outcome) => outcome === 'turned away').length >= 10)
  t.equal(settled.filter((outcome) => outcome === 'sent').length, receiver.requests.length)
})
