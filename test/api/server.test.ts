import { once } from 'node:events'
import { connect } from 'node:net'
import { type Test, test } from 'tap'
import { limits } from '../../src/api/pipeline/limits.js'
import { createTestApi } from './fixture.js'
import { listenFor, type Rates } from './listening.js'

async function listen(t: Test, rates?: Rates) {
  const service = await createTestApi()
  const { port, refused } = await listenFor(t, service.api, rates)
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${service.operator.key}`, ...init.headers },
    })
  return { service, port, send, refused }
}

test('server - requests with and without bodies are answered over a socket', async (t) => {
  const { send } = await listen(t)
  const json = { 'content-type': 'application/json' }
  const made = await send('/api/v1/id-tags', { method: 'POST', body: JSON.stringify({ id_tag: 'Ä-1' }), headers: json })
  t.equal(made.status, 201)
  t.equal(made.headers.get('content-type'), 'application/json; charset=utf-8')
  t.match(await made.json(), { id_tag: 'Ä-1' })
  const read = await send(`/api/v1/id-tags/${encodeURIComponent('Ä-1')}?unused=1`)
  t.match(await read.json(), { id_tag: 'Ä-1' })
  const gone = await send(`/api/v1/id-tags/${encodeURIComponent('ä-1')}`, { method: 'DELETE' })
  t.equal(gone.status, 204)
  t.equal(await gone.text(), '')
  t.equal((await send('/nothing')).status, 404)
})

test('server - several lines of Prefer are one list', async (t) => {
  const { port, service } = await listen(t)
  const answerTo = async (...preferences: string[]): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    const lines = preferences.map((preference) => `Prefer: ${preference}\r\n`).join('')
    socket.write(
      `GET /api/v1/id-tags?colour=red HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.operator.key}\r\n${lines}\r\n`,
    )
    const [head] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    return head.toString()
  }
  t.match(await answerTo('handling=strict'), /^HTTP\/1.1 400 /)
  t.match(
    await answerTo('handling=strict', 'respond-async'),
    /^HTTP\/1.1 400 [\s\S]*Preference-Applied: handling=strict/,
  )
  t.match(await answerTo('respond-async', 'handling=strict'), /^HTTP\/1.1 400 /)
  t.match(await answerTo('handling=lenient', 'handling=strict'), /^HTTP\/1.1 200 /, 'the first of a name counts')
  const open = await answerTo('respond-async; a="b, handling=strict')
  t.match(
    open,
    /^HTTP\/1.1 200 /,
    'a quotation that nobody ends goes on to the end: it is read once, however many marks it has',
  )
})

test('server - HEAD has the headers of GET and no body', async (t) => {
  const { send } = await listen(t)
  const head = await send('/api/v1/chargepoints', { method: 'HEAD' })
  t.equal(head.status, 200)
  t.equal(await head.text(), '')
  const get = await send('/api/v1/chargepoints')
  t.equal(head.headers.get('content-length'), get.headers.get('content-length'))
  t.equal((await send('/api/v1/chargepoints', { method: 'OPTIONS' })).headers.get('allow'), 'POST, GET, HEAD, OPTIONS')
  const refused = await send('/api/v1/chargepoints', { method: 'PUT' })
  t.match(
    { status: refused.status, allow: refused.headers.get('allow') },
    { status: 405, allow: 'POST, GET, HEAD, OPTIONS' },
  )
})

test('server - a connection goes on after an answer without a body, and 204 tells no length', async (t) => {
  const { port, service } = await listen(t)
  const head = `HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.operator.key}\r\n\r\n`
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  async function ask(line: string): Promise<string> {
    socket.write(`${line} ${head}`)
    const [answer] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | boolean]
    return Buffer.isBuffer(answer) ? answer.toString() : 'closed'
  }
  for (const line of ['OPTIONS /api/v1/chargepoints', 'HEAD /healthz', 'DELETE /api/v1/id-tags/none', 'GET /healthz']) {
    const answer = await ask(line)
    t.match(answer, /^HTTP\/1\.1 (200|204|404) /, line)
    if (answer.startsWith('HTTP/1.1 204')) t.notMatch(answer, /content-length/i)
  }
})

test('server - a body over the limit is 413, announced or not', async (t) => {
  const { send } = await listen(t)
  const headers = { 'content-type': 'application/json' }
  const large = 'x'.repeat(limits.requestBodyBytes + 1)
  t.equal((await send('/api/v1/id-tags', { method: 'POST', body: large, headers })).status, 413)
  const stream = new Blob([large]).stream()
  const init = { method: 'POST', body: stream, headers, duplex: 'half' } as RequestInit
  t.equal((await send('/api/v1/id-tags', init)).status, 413)
  const fits = JSON.stringify({ id_tag: 'A', unknown: 'x'.repeat(500_000) })
  t.equal((await send('/api/v1/id-tags', { method: 'POST', body: fits, headers })).status, 201)
})

test('server - of a body that is too long the rest is read first, so that a client that still writes gets its answer', async (t) => {
  const { port, send, service } = await listen(t)
  const begin = (announced: number) => {
    const socket = connect(port, '127.0.0.1')
    const head = `POST /api/v1/id-tags HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.operator.key}\r\nContent-Length: ${announced}`
    socket.write(`${head}\r\nContent-Type: application/json\r\n\r\n`)
    return socket
  }
  const half = 'x'.repeat(limits.requestBodyBytes)
  const socket = begin(half.length * 2)
  const answer: Buffer[] = []
  socket.on('data', (part: Buffer) => answer.push(part))
  for (const part of [half, half]) {
    socket.write(part)
    t.equal((await send('/nothing')).status, 404)
  }
  await once(socket, 'close')
  t.match(Buffer.concat(answer).toString(), /^HTTP\/1.1 413 [\s\S]*payload_too_large/)
  const silent = begin(half.length * 2)
  const [refused] = (await once(silent, 'data')) as [Buffer]
  t.match(refused.toString(), /^HTTP\/1.1 413 /, 'a client that sends nothing of it is answered too')
  const endless = begin(2 ** 40)
  endless.on('error', () => undefined).resume()
  const closed = new Promise((resolve) => endless.once('close', resolve))
  while (!endless.destroyed && endless.writable) {
    if (!endless.write(half)) await Promise.race([once(endless, 'drain').catch(() => undefined), closed])
  }
  await closed
  t.ok(endless.bytesWritten < 2 ** 30, 'only so much is read')
})

test('server - a caller that goes away harms nobody', async (t) => {
  const { service, port, send } = await listen(t)
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
  const body = JSON.stringify({ command: 'soft_reset' })
  const socket = connect(port, '127.0.0.1')
  const head = `POST /api/v1/cpo/commands/CP-1 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.operator.key}\r\n`
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  await reset
  await new Promise<void>((resolve) => socket.once('close', () => resolve()).destroy())
  // The answer to another request comes after the server has seen the first socket close.
  t.equal((await send('/healthz')).status, 200)
  await service.pass(10_000)
  t.equal((await send('/healthz')).status, 200)
  const { body: history } = await service.call('GET', '/api/v1/cpo/commands/CP-1/history')
  t.match(history.commands, [{ status: 'Timeout' }])
})

test('server - the reference is compressed for those that take it, and stands where a browser looks first', async (t) => {
  const { send } = await listen(t)
  const redirect = await send('/', { redirect: 'manual', headers: { accept: 'text/html,*/*;q=0.8' } })
  t.equal(redirect.status, 302)
  t.equal(redirect.headers.get('location'), '/docs')
  t.match(await (await send('/')).text(), /\/docs.*\/api\/v1\/openapi\.json/)
  for (const path of ['/api/v1/openapi.json', '/docs', '/docs/api/sessions', '/docs/swagger-ui-bundle.js']) {
    const plain = await send(path, { headers: { 'accept-encoding': 'identity' } })
    t.equal(plain.headers.get('content-encoding'), null)
    for (const refused of ['gzip;q=0', 'br;q=0, zstd', 'gzip;q=2', ''])
      t.equal((await send(path, { headers: { 'accept-encoding': refused } })).headers.get('content-encoding'), null)
    const text = await plain.text()
    for (const [accepted, encoding] of [
      ['br;q=0.5, gzip;q=0.8', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['*;q=0.1', 'br'],
    ] as const) {
      const compressed = await send(path, { headers: { 'accept-encoding': accepted } })
      t.equal(compressed.headers.get('content-encoding'), encoding)
      t.equal(compressed.headers.get('vary'), 'Accept-Encoding')
      t.equal(await compressed.text(), text)
    }
    const tag = plain.headers.get('etag') as string
    const known = await send(path, { headers: { 'if-none-match': `"other", ${tag}` } })
    t.match([known.status, known.headers.get('etag'), await known.text()], [304, tag, ''], `${path} is sent once`)
    t.equal((await send(path, { headers: { 'if-none-match': '"other"' } })).status, 200)
  }
})
