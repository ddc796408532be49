// What arrives faster than it may, over sockets: it is refused for little, and whoever sends with a key is not refused with strangers.

import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type Test, test } from 'tap'
import { limits } from '../../src/api/http/limits.js'
import { exchange, get, openSocket, received, statusesIn } from './exchange.js'
import { createTestApi } from './fixture.js'
import { listenFor, type Rates } from './listening.js'

async function listen(t: Test, rates?: Rates) {
  const service = await createTestApi()
  const handled: string[] = []
  const handle: typeof service.api.handle = (request) => {
    handled.push(request.path)
    return service.api.handle(request)
  }
  const listening = await listenFor(t, { ...service.api, handle }, rates)
  return { ...listening, handled, service, key: service.operator.key }
}

test('request floods - a few pipelined requests are answered in order, and many of them end the connection', async (t) => {
  const { port, handled } = await listen(t)
  const few = await exchange(t, port, get('/healthz') + get('/nothing') + get('/healthz'), 3)
  t.same(statusesIn(few), [200, 404, 200])
  handled.length = 0
  await exchange(t, port, get('/healthz').repeat(2_000))
  t.equal(handled.length, limits.requestsPerTurn, 'of the others, none has cost a route')
})

test('request floods - what is pipelined behind a request that changes something ends the connection before it is begun', async (t) => {
  const { port, key, service } = await listen(t)
  const body = JSON.stringify({ id_tag: 'A-1' })
  const post = `POST /api/v1/id-tags HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  t.equal(await exchange(t, port, post + get('/healthz')), '')
  t.equal((await service.call('GET', '/api/v1/id-tags')).body.total, 0)
  t.match(await exchange(t, port, post, 1), /^HTTP\/1\.1 201 /)
})

test('request floods - strangers of one address are refused with 429, and a key from there is not', async (t) => {
  const { port, key, handled, refused } = await listen(t, { ofAddress: { perSecond: 0.01, burst: 3 } })
  const url = `http://127.0.0.1:${port}/api/v1/id-tags`
  const headers = { authorization: `Bearer ${key}` }
  t.equal((await fetch(url, { headers })).status, 200)
  t.equal((await fetch(url, { headers: { 'x-api-key': key } })).status, 200)
  for (let count = 0; count < 3; count++) t.equal((await fetch(`http://127.0.0.1:${port}/docs`)).status, 200)
  const before = handled.length
  const answer = await exchange(t, port, get('/docs'))
  t.match(answer, /^HTTP\/1\.1 429 Too Many Requests\r\n/)
  t.match(answer, /\r\nRetry-After: 100\r\n/)
  t.match(answer, /\r\nConnection: close\r\n/i)
  const [, id = ''] = /\r\nX-Request-ID: (\S+)\r\n/.exec(answer) ?? []
  t.same(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)), {
    error: 'rate_limit_exceeded',
    message: 'too many requests without an API key come from this address',
    request_id: id,
  })
  t.equal((await fetch(url, { method: 'HEAD' })).status, 429)
  t.equal(
    (await fetch(url, { method: 'POST', body: 'x'.repeat(2_000_000) }).catch(() => undefined))?.status ?? 429,
    429,
  )
  t.equal(handled.length, before, 'no route has seen them')
  t.ok((refused.get('rate_of_address') ?? 0) >= 3)
  for (let count = 0; count < 5; count++) t.equal((await fetch(url, { headers })).status, 200)
})

test('request floods - a flood from an address refuses neither its probes nor keys that nobody has seen yet', async (t) => {
  const { port, key, refused } = await listen(t, { ofAddress: { perSecond: 0.01, burst: 3 } })
  const statusOf = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status
  for (let count = 0; count < 4; count++) await statusOf('/docs')
  t.equal(await statusOf('/docs'), 429)
  t.same([await statusOf('/healthz'), await statusOf('/readyz'), await statusOf('/metrics')], [200, 200, 200])
  t.equal(await statusOf('/healthz'), 429, 'a flood of probes is refused, too')
  t.equal(refused.get('rate_of_probes'), 1)
  const keyed = await fetch(`http://127.0.0.1:${port}/api/v1/id-tags`, { headers: { 'x-api-key': key } })
  t.equal(keyed.status, 200)
})

test('request floods - a key that is refused unseen learns that it was not looked at', async (t) => {
  const { port, key, refused } = await listen(t, { ofAddress: { perSecond: 0.01, burst: 1 } })
  const ask = (presented: string) =>
    fetch(`http://127.0.0.1:${port}/api/v1/id-tags`, { headers: { 'x-api-key': presented } })
  t.equal((await ask('wrong')).status, 401)
  const answer = await ask(key)
  t.equal(answer.status, 429)
  t.match(await answer.json(), {
    message: 'too many requests come from this address; this API key has not been checked',
  })
  t.equal(refused.get('rate_of_unchecked_keys'), 1)
})

test('request floods - the first request of a valid key takes nothing of its address', async (t) => {
  const { port, service } = await listen(t, { ofAddress: { perSecond: 0.01, burst: 1 } })
  const url = `http://127.0.0.1:${port}/api/v1/id-tags`
  for (let count = 0; count < 3; count++) {
    const { key } = await service.addOrganization()
    t.equal((await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status, 200)
  }
  t.equal((await fetch(url)).status, 401)
  t.equal((await fetch(url)).status, 429)
})

test('request floods - a key has a rate of its own, and its connection goes on', async (t) => {
  const { port, key, service, refused } = await listen(t, { ofKey: { perSecond: 0.01, burst: 2 } })
  const socket = openSocket(t, port)
  const statuses: string[] = []
  for (let count = 0; count < 5; count++) {
    socket.write(get('/api/v1/id-tags', `Authorization: Bearer ${key}`))
    statuses.push((await received(socket, 1)).slice(9, 12))
  }
  t.same(statuses, ['200', '200', '429', '429', '429'])
  t.equal(refused.get('rate_of_key'), 3)
  const other = await service.addKey(service.operator.organizationId, ['read:sessions'])
  const headers = { authorization: `Bearer ${other}` }
  t.equal((await fetch(`http://127.0.0.1:${port}/api/v1/sessions`, { headers })).status, 200)
})

test('request floods - if a key asks on many connections at once, requests beyond its share are refused, and their connections go on', async (t) => {
  const { port, key, service, refused } = await listen(t)
  const other = await service.addOrganization()
  const ask = (secret: string) => get('/api/v1/id-tags', `Authorization: Bearer ${secret}`)
  for (const secret of [key, other.key]) t.match(await exchange(t, port, ask(secret), 1), /^HTTP\/1\.1 200 /)
  const count = limits.waitingRequestsPerCredential + 200
  const sockets = Array.from({ length: count }, () => openSocket(t, port))
  const ofOther = openSocket(t, port)
  await Promise.all([...sockets, ofOther].map((socket) => once(socket, 'connect')))
  const answers = sockets.map((socket) => {
    const answer = received(socket, 1)
    socket.write(ask(key))
    return answer
  })
  const answerOfOther = received(ofOther, 1)
  ofOther.write(ask(other.key))
  const statuses = (await Promise.all(answers)).map((answer) => statusesIn(answer)[0])
  t.same(statusesIn(await answerOfOther), [200])
  t.same(new Set(statuses), new Set([200, 503]))
  t.equal(refused.get('too_many_waiting'), statuses.filter((status) => status === 503).length)
  const again = sockets[statuses.indexOf(503)] as Socket
  again.write(ask(key))
  t.same(statusesIn(await received(again, 1)), [200])
})
