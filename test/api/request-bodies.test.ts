// Bodies: whose they are is known before they are gathered, and together they have a bound.

import { once } from 'node:events'
import { test } from 'tap'
import { createBodyRoom, type Tenant } from '../../src/api/http/body-room.js'
import { limits } from '../../src/api/http/limits.js'
import { limits as pipelineLimits } from '../../src/api/pipeline/limits.js'
import { until } from '../support/until.js'
import { exchange, get, openSocket, received, request, statusesIn } from './exchange.js'
import { createTestApi } from './fixture.js'
import { listenFor } from './listening.js'

const json = 'Content-Type: application/json'
const lengthOf = (bytes: number): string => `Content-Length: ${bytes}`

test('request bodies - who may not send one is told so before it has arrived', async (t) => {
  const service = await createTestApi()
  const { port } = await listenFor(t, service.api)
  const key = `Authorization: Bearer ${service.operator.key}`
  const length = lengthOf(pipelineLimits.requestBodyBytes)
  const early = async (...lines: string[]) => statusesIn(await exchange(t, port, lines.join(''), 1))
  t.same(await early(request('POST', '/api/v1/id-tags', json, length)), [401])
  t.same(await early(request('POST', '/api/v1/id-tags', 'Authorization: Bearer other', json, length), 'x'), [401])
  t.same(await early(request('POST', '/api/v1/nothing', key, json, length)), [404])
  t.same(await early(request('PUT', '/api/v1/id-tags', key, json, length)), [405])
  const reader = await service.addKey(service.operator.organizationId, ['read:sessions'])
  t.same(await early(request('POST', '/api/v1/id-tags', `X-API-Key: ${reader}`, json, length)), [403])
  t.match(
    await exchange(t, port, request('POST', '/api/v1/id-tags', json, 'Transfer-Encoding: chunked')),
    /^HTTP\/1\.1 401 [\s\S]*\r\nConnection: close\r\n/,
  )
})

test('request bodies - many at once without a key are refused, each with its body there already', async (t) => {
  const service = await createTestApi()
  const { port } = await listenFor(t, service.api)
  const text = `${request('POST', '/api/v1/id-tags', json, lengthOf(2))}{}`
  const answers = await Promise.all(Array.from({ length: 200 }, () => exchange(t, port, text, 1)))
  t.same(new Set(answers.flatMap(statusesIn)), new Set([401]))
  t.equal(answers.length, 200)
})

test('request bodies - a body that nobody has asked for is read over, and the connection goes on', async (t) => {
  const service = await createTestApi()
  const { port } = await listenFor(t, service.api)
  const socket = openSocket(t, port)
  socket.write(request('POST', '/api/v1/id-tags', json, lengthOf(100_000)))
  t.same(statusesIn(await received(socket, 1)), [401])
  socket.write('x'.repeat(100_000))
  socket.write(get('/healthz'))
  t.same(statusesIn(await received(socket, 1)), [200])
})

test('request bodies - one organization has its share of what a front holds, until its connections are gone', async (t) => {
  const service = await createTestApi()
  const { port, refused } = await listenFor(t, service.api)
  const other = await service.addOrganization()
  const size = pipelineLimits.requestBodyBytes
  const begin = (key: string) => {
    const socket = openSocket(t, port)
    socket.write(request('POST', '/api/v1/id-tags', `X-API-Key: ${key}`, json, lengthOf(size)))
    socket.write(' '.repeat(size - 1))
    return { socket, answer: received(socket, 1) }
  }
  const most = limits.bodyBytesPerParty / size
  const unfinished = Array.from({ length: most + 2 }, () => begin(service.operator.key))
  const [first] = await Promise.race(unfinished.map(async ({ answer }) => [await answer]))
  t.match(first, /^HTTP\/1\.1 503 [\s\S]*\r\nRetry-After: 1\r\n[\s\S]*"code":"overloaded"/)
  t.ok((refused.get('no_room_for_body') ?? 0) >= 1)
  const { socket, answer } = begin(other.key)
  socket.write(' ')
  t.same(statusesIn(await answer), [400], 'another organization has room')
  const post = async (idTag: string) => {
    const body = JSON.stringify({ id_tag: idTag })
    const headers = { 'x-api-key': service.operator.key, 'content-type': 'application/json' }
    return (await fetch(`http://127.0.0.1:${port}/api/v1/id-tags`, { method: 'POST', body, headers })).status
  }
  t.equal(await post('A'.repeat(20)), 201, 'small ones have a room of their own')
  await Promise.all(unfinished.map(({ socket }) => once(socket.destroy(), 'close')))
  const long = 'A'.repeat(2 * limits.smallBodyBytes)
  t.equal(await until(async () => (await post(long)) !== 503), true)
})

test('request bodies - one organization has so many bytes of large ones parsed; its small ones, and others, are not held up', async (t) => {
  const service = await createTestApi()
  const { port, refused } = await listenFor(t, service.api)
  const other = await service.addOrganization()
  const large = ' '.repeat(pipelineLimits.requestBodyBytes)
  const post = (key: string, body: string) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    return fetch(`http://127.0.0.1:${port}/api/v1/id-tags`, { method: 'POST', body, headers })
  }
  const { key } = service.operator
  let taken = 0
  let answer = await post(key, large)
  for (; answer.status === 400 && taken < 1_000; taken++) answer = await post(key, large)
  t.ok(taken >= limits.parsedBodyBytesAtOnce / large.length, 'so many at once')
  t.equal(answer.status, 429)
  t.match(await answer.json(), { error: 'rate_limit_exceeded' })
  t.equal(answer.headers.get('retry-after'), '1')
  t.equal(refused.get('rate_of_bodies'), 1)
  t.equal((await post(key, '{"id_tag":"SMALL"}')).status, 201)
  t.equal((await post(other.key, large)).status, 400)
})

test('request bodies - where many let theirs drip in, the party that holds most loses its oldest', async (t) => {
  const service = await createTestApi()
  const { port, refused } = await listenFor(t, service.api)
  const size = pipelineLimits.requestBodyBytes
  const perParty = limits.bodyBytesPerParty / size
  const drip = (key: string, bytes: number) => {
    const socket = openSocket(t, port)
    socket.write(request('POST', '/api/v1/id-tags', `X-API-Key: ${key}`, json, lengthOf(size)))
    socket.write(' '.repeat(bytes))
    return { socket, answer: received(socket, 1) }
  }
  const [last = service.operator, some = last, ...others] = await Promise.all(
    Array.from({ length: 5 }, () => service.addOrganization()),
  )
  const post = async (idTag: string) => {
    const body = JSON.stringify({ id_tag: idTag })
    const headers = { 'x-api-key': last.key, 'content-type': 'application/json' }
    return (await fetch(`http://127.0.0.1:${port}/api/v1/id-tags`, { method: 'POST', body, headers })).status
  }
  // A key that nobody knows yet counts for its address.
  for (const { key } of [service.operator, last, some, ...others])
    await exchange(t, port, get('/api/v1/id-tags', `X-API-Key: ${key}`), 1)
  const greedy = Array.from({ length: perParty }, () => drip(service.operator.key, size - 1))
  for (const { key } of others) for (let at = 1; at < perParty; at++) drip(key, size - 1)
  for (const missing of [1, 1, 50_000]) drip(some.key, size - missing)
  const status = await until(async () => {
    const status = await post('A'.repeat(2 * limits.smallBodyBytes))
    return (refused.get('no_room_for_body') ?? 0) === 0 ? undefined : status
  })
  t.equal(status, 400, 'it has been read')
  const given = await Promise.race(greedy.map(({ answer }) => answer))
  t.match(given, /^HTTP\/1\.1 503 /, 'one of the party that holds most')
  t.equal(refused.get('no_room_for_body'), 1)
  t.equal(await post('A'), 201)
})

test('request bodies - in a room that is full, a body that is whole stays, and the oldest of the greediest goes', (t) => {
  const given: string[] = []
  const room = createBodyRoom({ bytes: 100, bytesPerParty: 40 })
  const tenantOf = (party: string, name: string, holds: number): Tenant => {
    const tenant = {
      party,
      giveUp() {
        given.push(name)
        room.received(tenant)
        room.giveBack(tenant, holds)
      },
    }
    t.ok(room.take(tenant, holds), name)
    return tenant
  }
  room.received(tenantOf('a', 'whole', 20))
  tenantOf('a', 'oldest', 10)
  tenantOf('a', 'second', 10)
  t.notOk(room.take({ party: 'a', giveUp: () => undefined }, 1), 'more than its share')
  tenantOf('b', 'of b', 30)
  tenantOf('c', 'of c', 30)
  t.same(given, [])
  tenantOf('d', 'of d', 15)
  t.same(given, ['oldest', 'second'])
  tenantOf('d', 'more of d', 10)
  t.same(given.slice(2), ['of b'])
  t.equal(room.bytes, 75)
  t.end()
})

test('request bodies - what follows a request that is being carried out is answered after it', async (t) => {
  const service = await createTestApi()
  const { port } = await listenFor(t, service.api)
  await service.register('CP-1')
  let called = (): void => undefined
  const reset = new Promise<void>((resolve) => {
    called = resolve
  })
  service.connect('CP-1', (action) => {
    if (action === 'Reset') called()
    return undefined
  })
  await service.settled()
  const socket = openSocket(t, port)
  const body = JSON.stringify({ command: 'soft_reset' })
  const key = `X-API-Key: ${service.operator.key}`
  socket.write(`${request('POST', '/api/v1/cpo/commands/CP-1', key, json, lengthOf(body.length))}${body}`)
  await reset
  socket.write(get('/healthz'))
  // The answer to another connection comes after the first has sent what it has.
  t.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200)
  const answers = received(socket, 2)
  await service.pass(60_000)
  t.same(statusesIn(await answers), [408, 200])
})

test('request bodies - one that is compressed, or in two bytes a character, is refused as such', async (t) => {
  const service = await createTestApi()
  const { port } = await listenFor(t, service.api)
  const post = async (headers: Record<string, string>) => {
    const sent = { 'x-api-key': service.operator.key, 'content-type': 'application/json', ...headers }
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/id-tags`, { method: 'POST', body: '{}', headers: sent })
    return answer.status
  }
  t.equal(await post({ 'content-encoding': 'gzip' }), 415)
  t.equal(await post({ 'content-encoding': 'identity' }), 400)
  for (const charset of ['utf-16', '"UTF-16LE"', 'utf-32'])
    t.equal(await post({ 'content-type': `application/json; charset=${charset}` }), 415, charset)
  for (const charset of ['utf-8', '"UTF-8"', 'iso-8859-1'])
    t.equal(await post({ 'content-type': `application/json; charset=${charset}` }), 400, charset)
})
