// What the outbound client sends, and what it makes of answers, over real sockets.

import { test } from 'tap'
import { limits } from '../../../src/jobs/outbound/limits.js'
import { until } from '../../support/until.js'
import { makeClient, post, startCanary } from './canary.js'
import { answerOf, startReceiver } from './receiver.js'

test('outbound - a request arrives as it was asked for, and its answer comes back', async (t) => {
  const receiver = await startReceiver(t, (socket) => {
    socket.write(answerOf('202 Accepted', 'grüße', ['content-type: text/plain', 'retry-after: 120', 'set-cookie: a=b']))
  })
  const client = makeClient(t, true)
  const headers = { 'content-type': 'application/json', 'webhook-id': 'msg_1' }
  const outcome = await client.request(post(`${receiver.url}?a=1&b=%20#part`, { headers, body: '{"a":"ü"}' }))
  t.match(outcome, {
    type: 'answered',
    status: 202,
    headers: { 'content-type': 'text/plain', 'retry-after': '120' },
    body: 'grüße',
    milliseconds: Number,
  })
  t.same(Object.keys(outcome.type === 'answered' ? outcome.headers : {}).sort(), ['content-type', 'retry-after'])
  const [request = ''] = receiver.requests
  t.match(request, /^POST \/hook\?a=1&b=%20 HTTP\/1\.1\r\n/)
  t.match(request, new RegExp(`^host: 127\\.0\\.0\\.1:${receiver.port}\\r$`, 'im'))
  t.match(request, /^webhook-id: msg_1\r$/im)
  t.match(request, /^content-length: 10\r$/im)
  t.match(request, /^user-agent: ampshard\/test\r$/im)
  t.notMatch(request, /accept-encoding/i)
  t.equal(Buffer.from(request, 'latin1').toString().split('\r\n\r\n')[1], '{"a":"ü"}')
})

test('outbound - every method is sent, with a body and without', async (t) => {
  const receiver = await startReceiver(t, (socket) => socket.write(answerOf('204 No Content')))
  const client = makeClient(t, true)
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    const request = { method, url: receiver.url, headers: {}, timeoutMs: 5_000 }
    t.match(await client.request(request), { type: 'answered', status: 204 })
    t.match(await client.request({ ...request, body: 'x' }), { type: 'answered', status: 204 })
    t.same(
      receiver.requests.slice(-2).map((text) => text.split(' ')[0]),
      [method, method],
    )
  }
})

test('outbound - a body that nobody wants is not handed on', async (t) => {
  const receiver = await startReceiver(t, (socket) => socket.write(answerOf('200 OK', 'secret')))
  const client = makeClient(t, true)
  t.notOk('body' in (await client.request(post(receiver.url, { readBody: false }))))
})

test('outbound - redirects are answers: where they point is not called', async (t) => {
  const canary = await startCanary(t)
  const statuses = ['301 Moved', '302 Found', '303 See Other', '307 Temporary Redirect', '308 Permanent Redirect']
  const targets = ['http://169.254.169.254/latest/meta-data/', `http://127.0.0.1:${canary.port}/`, '//[::1]/', '/other']
  for (const status of statuses)
    for (const target of targets) {
      const receiver = await startReceiver(t, (socket) => socket.write(answerOf(status, '', [`location: ${target}`])))
      const outcome = await makeClient(t, true).request(post(receiver.url))
      t.match(outcome, { type: 'answered', status: Number(status.slice(0, 3)), headers: { location: target } })
      t.equal(receiver.requests.length, 1)
    }
  t.same(canary.connections, [])
})

test('outbound - a body is read up to the bound, and the connection closed', async (t) => {
  const size = { exact: limits.outboundAnswerBytes, over: limits.outboundAnswerBytes + 1, endless: 50_000_000 }
  const receiver = await startReceiver(t, (socket, _, request) => {
    const length = size[/endless|exact|over/.exec(request)?.[0] as keyof typeof size]
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`)
    socket.write('x'.repeat(length))
  })
  const client = makeClient(t, true)
  for (const readBody of [true, false])
    for (const kind of ['exact', 'over', 'endless']) {
      const outcome = await client.request(post(`${receiver.url}/${kind}`, { readBody }))
      t.match(outcome, { type: 'answered', status: 200 }, kind)
      if (outcome.type === 'answered' && readBody) t.equal(outcome.body?.length, limits.outboundAnswerBytes, kind)
      const open = kind === 'exact' ? 1 : 0
      await until(() => receiver.open() === open)
    }
})

test('outbound - a character that the bound cuts is left out', async (t) => {
  const receiver = await startReceiver(t, (socket) => {
    socket.write(answerOf('200 OK', `${'x'.repeat(limits.outboundAnswerBytes - 1)}ü${'y'.repeat(100)}`))
  })
  const outcome = await makeClient(t, true).request(post(receiver.url))
  t.equal(outcome.type === 'answered' && outcome.body, 'x'.repeat(limits.outboundAnswerBytes - 1))
})

test('outbound - a compressed body is handed on as it came', async (t) => {
  const bytes = '\u001f\u008b\u0008'
  const receiver = await startReceiver(t, (socket) => {
    socket.write(
      Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\n${bytes}`, 'latin1'),
    )
  })
  t.match(await makeClient(t, true).request(post(receiver.url)), { type: 'answered', body: '\u001f\ufffd\u0008' })
})

test('outbound - connections are kept for the next request, and closed when they are idle', async (t) => {
  const receiver = await startReceiver(t, (socket) => socket.write(answerOf('200 OK', 'ok')))
  const client = makeClient(t, true)
  for (let times = 0; times < 20; times++) await client.request(post(receiver.url))
  t.equal(receiver.requests.length, 20)
  t.equal(receiver.connections(), 1)
  await until(() => receiver.open() === 0)
})

test('outbound - a receiver that offers to keep a connection for long is not taken up on it', async (t) => {
  const receiver = await startReceiver(t, (socket) => socket.write(answerOf('200 OK', '', ['keep-alive: timeout=600'])))
  await makeClient(t, true).request(post(receiver.url))
  await until(() => receiver.open() === 0, 15_000)
  t.equal(receiver.connections(), 1)
})

test('outbound - a receiver that closes its connections gets a new one for each request', async (t) => {
  const receiver = await startReceiver(t, (socket) => socket.end(answerOf('200 OK', 'ok', ['connection: close'])))
  const client = makeClient(t, true)
  for (let times = 0; times < 5; times++) t.match(await client.request(post(receiver.url)), { status: 200 })
  t.equal(receiver.connections(), 5)
})

test('outbound - a burst takes connections up to a bound, and every request of it is answered', async (t) => {
  const receiver = await startReceiver(t, (socket) => socket.write(answerOf('200 OK', 'ok')))
  const client = makeClient(t, true)
  const burst = Array.from({ length: 1_000 }, () => client.request(post(receiver.url)))
  t.ok((await Promise.all(burst)).every((outcome) => outcome.type === 'answered' && outcome.status === 200))
  t.ok(receiver.connections() <= limits.outboundRequestsPerOrigin, String(receiver.connections()))
})

test('outbound - a request with a header that is none, or a body that is too long, is not sent', async (t) => {
  const receiver = await startReceiver(t, (socket) => socket.write(answerOf('200 OK')))
  const client = makeClient(t, true)
  for (const headers of [{ 'x-a': 'b\r\nx-c: d' }, { 'x a': 'b' }, { 'transfer-encoding': 'chunked' }])
    t.match(await client.request(post(receiver.url, { headers })), { type: 'failed', reason: 'protocol' })
  const body = 'x'.repeat(limits.outboundBodyCharacters + 1)
  t.match(await client.request(post(receiver.url, { body })), { type: 'failed', reason: 'protocol' })
  t.equal(receiver.connections(), 0)
})
