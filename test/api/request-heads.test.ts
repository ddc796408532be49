// Heads that two readers could read in two ways are refused, and the connection with them.

import { test } from 'tap'
import { exchange, get, request, statusesIn } from './exchange.js'
import { createTestApi } from './fixture.js'
import { listenFor } from './listening.js'

test('request heads - a header that says where a request ends, or whose it is, is there once', async (t) => {
  const service = await createTestApi()
  const { port, refused } = await listenFor(t, service.api)
  const key = `Authorization: Bearer ${service.operator.key}`
  const json = 'Content-Type: application/json'
  const second = get('/api/v1/id-tags', key)
  const refusedHeads: Record<string, string> = {
    'two lengths': `${request('POST', '/api/v1/id-tags', key, json, 'Content-Length: 2', 'Content-Length: 40')}{}${second}`,
    'two equal lengths': `${request('POST', '/api/v1/id-tags', key, json, 'Content-Length: 2', 'Content-Length: 2')}{}`,
    'two authorizations': get('/api/v1/id-tags', key, 'Authorization: Bearer other'),
    'two keys': get('/api/v1/id-tags', `X-API-Key: ${service.operator.key}`, `X-API-Key: ${service.operator.key}`),
    'two hosts': get('/api/v1/id-tags', key, 'Host: other'),
    'two types': `${request('POST', '/api/v1/id-tags', key, json, json, 'Content-Length: 2')}{}`,
    xchunked: `${request('POST', '/api/v1/id-tags', key, json, 'Transfer-Encoding: xchunked')}2\r\n{}\r\n0\r\n\r\n`,
    'chunked and identity': `${request('POST', '/api/v1/id-tags', key, json, 'Transfer-Encoding: chunked, identity')}2\r\n{}\r\n0\r\n\r\n`,
  }
  for (const [name, text] of Object.entries(refusedHeads)) {
    const answer = await exchange(t, port, text)
    // Behind what was pipelined, uWebSockets.js ends the connection without an answer.
    t.match(answer, name === 'two lengths' ? /^$/ : /^HTTP\/1\.1 400 [\s\S]*"code":"validation_error"/, name)
  }
  t.match(
    await exchange(t, port, refusedHeads['two authorizations'] as string),
    /"details":\[\{"path":"authorization","message":"must be there once"\}\]/,
  )
  t.equal(refused.get('malformed_head'), Object.keys(refusedHeads).length + 1)
  const chunked = `${request('POST', '/api/v1/id-tags', key, json, 'Transfer-Encoding: Chunked')}e\r\n{"id_tag":"A"} \r\n0\r\n\r\n`
  t.same(statusesIn(await exchange(t, port, chunked, 1)), [201])
  t.same(statusesIn(await exchange(t, port, get('/healthz', 'X-Forwarded-For: a', 'X-Forwarded-For: b'), 1)), [200])
})

test('request heads - nothing follows chunks on a connection, whose end a proxy may see elsewhere', async (t) => {
  const service = await createTestApi()
  const { port } = await listenFor(t, service.api)
  const key = `Authorization: Bearer ${service.operator.key}`
  const json = 'Content-Type: application/json'
  const post = request('POST', '/api/v1/id-tags', key, json, 'Transfer-Encoding: chunked')
  const made = await exchange(t, port, `${post}e\r\n{"id_tag":"A"} \r\n0\r\n\r\n`)
  t.same(statusesIn(made), [201], 'the connection is closed behind it')
  t.match(made, /\r\nConnection: close\r\n/i)
  const chunkedGet = request('GET', '/healthz', 'Transfer-Encoding: chunked')
  const second = get('/readyz')
  for (const end of [
    '0\r\n\r\n',
    '0\r\nGET: /console/assets/x HTTP/1.1\r\nHost: a\r\n\r\n',
    `0 ;\n\r\n${second}`,
    `28 ;\nxx\r\n0\r\n\r\n${second}`,
  ]) {
    const answered = await exchange(t, port, chunkedGet + end)
    t.ok(['', '400'].includes(statusesIn(answered).join()), `${JSON.stringify(end)} is refused, and nothing follows it`)
    t.ok(statusesIn(await exchange(t, port, post + end)).length <= 1)
  }
})

test('request heads - an answer to chunks that is longer than a connection takes at once is whole', async (t) => {
  const body = Array.from({ length: 300_000 }, (_, at) => `line ${at}`).join('\n')
  const handle = async () => ({ status: 200, headers: {}, body })
  const { port } = await listenFor(t, { handle } as unknown as Parameters<typeof listenFor>[1])
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    // A stream has no length, so that it is sent in chunks.
    body: new Blob(['{}']).stream(),
    duplex: 'half',
  } as RequestInit)
  t.equal(answer.headers.get('connection'), 'close')
  t.equal(await answer.text(), body)
})

test('request heads - nothing follows chunks that were refused for their rate', async (t) => {
  const service = await createTestApi()
  const { port } = await listenFor(t, service.api, { ofKey: { perSecond: 0.001, burst: 1 } })
  const key = `Authorization: Bearer ${service.operator.key}`
  t.same(statusesIn(await exchange(t, port, get('/api/v1/id-tags', key), 1)), [200])
  const chunked = `${request('GET', '/api/v1/id-tags', key, 'Transfer-Encoding: chunked')}0\r\n\r\n`
  t.same(statusesIn(await exchange(t, port, chunked)), [429], 'the connection is closed behind it')
  t.same(statusesIn(await exchange(t, port, get('/api/v1/id-tags', key), 1)), [429])
})
