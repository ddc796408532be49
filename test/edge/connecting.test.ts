// How charge points come to and leave the built service: who is refused and why, who is taken, and how sockets end.

import { once } from 'node:events'
import { connect } from 'node:net'
import { t, test } from 'tap'
import { connectOcpp } from '../support/ocpp-client.js'
import { makeOrganization } from '../support/organization.js'
import { type RawSocket, rawUpgrade } from '../support/raw-socket.js'
import { type Answer, type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

/** With its usual settings. */
const service = await startService(t)

/** Takes unknown charge points, none without a subprotocol, and few frames and bytes of each. */
const unusual = await startService(t, {
  flags: [
    ...['--unknown-charge-points', 'accept', '--log-level', 'debug', '--require-subprotocol'],
    ...['--frames-per-second', '1', '--frame-burst', '5', '--bytes-per-second', '1000', '--byte-burst', '100000'],
  ],
})

/** The list of refused attempts, once it has so many. */
const refusedAs = (service: Service, total: number, query = ''): Promise<Answer> =>
  until(async () => {
    const list = await service.request('GET', `/api/v1/cpo/connection-attempts${query}`)
    return list.body.total === total && list
  })

const basic = (user: string, hexKey: string): { readonly headers: { readonly authorization: string } } => ({
  headers: {
    authorization: `Basic ${Buffer.concat([Buffer.from(`${user}:`), Buffer.from(hexKey, 'hex')]).toString('base64')}`,
  },
})

test('connecting - every refusal is listed with its reason and what to do about it', async (t) => {
  await service.register('CP-1')
  const made = await service.request('POST', '/api/v1/chargepoints/CP-1/authorization-key', {})
  const key: string = made.body.authorization_key
  const root = service.ocppUrl.replace('/ocpp16', '')
  await t.rejects(connectOcpp(`${service.ocppUrl}/NOBODY`), /HTTP 404/)
  await t.rejects(connectOcpp(`${root}/CP-1`), /HTTP 404/)
  await t.rejects(connectOcpp(`${service.ocppUrl}/CP%`), /HTTP 400/)
  await t.rejects(connectOcpp(`${service.ocppUrl}/a%00%F0%9F%94%8B${'x'.repeat(300)}`), /HTTP 404/)
  await t.rejects(connectOcpp(`${service.ocppUrl}/CP-1`, { subprotocols: ['ocpp2.0.1'] }), /HTTP 400/)
  await t.rejects(connectOcpp(`${service.ocppUrl}/CP-1`), /HTTP 401/)
  await t.rejects(connectOcpp(`${service.ocppUrl}/CP-1`, basic('CP-1', '00'.repeat(20))), /HTTP 401/)
  const twice = [basic('CP-1', key).headers.authorization, basic('CP-1', '00'.repeat(20)).headers.authorization]
  for (const authorization of [twice, twice.toReversed()])
    await t.rejects(connectOcpp(`${service.ocppUrl}/CP-1`, { headers: { authorization } }), /HTTP 400/)
  const { body } = await refusedAs(service, 9)
  const reasons = body.data.map((attempt: { reason: string }) => attempt.reason).sort()
  t.same(reasons, [
    'bad_escape',
    'bad_identity',
    'no_password',
    'two_authorizations',
    'two_authorizations',
    'unknown_charge_point',
    'wrong_password',
    'wrong_path',
    'wrong_subprotocol',
  ])
  for (const attempt of body.data) {
    t.match(attempt.advice, /^[A-Z].{10,}\.$/, attempt.reason)
    t.equal(attempt.remote_address, '127.0.0.1')
    t.match(attempt.attempted_at, /^\d{4}-.*Z$/)
  }
  const own = await refusedAs(service, 6, '?charge_point_id=CP-1')
  t.ok(own.body.data.every((attempt: { charge_point_id: string }) => attempt.charge_point_id === 'CP-1'))
  t.notMatch(service.output(), '00'.repeat(20))
})

test('connecting - an id in another case is the same charge point', async (t) => {
  await service.register('Cp-Case')
  const client = await connectOcpp(`${service.ocppUrl}/CP-CASE`)
  await client.boot({ chargePointModel: 'Shouting' })
  await client.call('StartTransaction', {
    connectorId: 1,
    idTag: 'TAG',
    meterStart: 0,
    timestamp: '2026-11-01T10:00:00Z',
  })
  const sessions = await service.request('GET', '/api/v1/sessions?charge_point_id=Cp-Case')
  t.equal(sessions.body.total, 1)
})

test('connecting - without a subprotocol it depends on the setting', async (t) => {
  await service.register('CP-LENIENT')
  const client = await connectOcpp(`${service.ocppUrl}/CP-LENIENT`, { subprotocols: [] })
  t.equal(client.socket.protocol, '')
  t.match(await client.boot(), { payload: { status: 'Accepted' } })
  await unusual.register('CP-STRICT')
  await t.rejects(connectOcpp(`${unusual.ocppUrl}/CP-STRICT`, { subprotocols: [] }), /HTTP 400/)
})

test('connecting - with --unknown-charge-points accept a new id is registered by its first connection', async (t) => {
  const service = unusual
  t.equal((await service.request('GET', '/api/v1/chargepoints/NEW-1')).status, 404)
  // Several at once: their registrations reach the disk together.
  const ids = Array.from({ length: 20 }, (_, at) => `NEW-${at}`)
  const clients = await Promise.all(ids.map((id) => connectOcpp(`${service.ocppUrl}/${id}`)))
  for (const client of clients) {
    const booted = client.boot().then(({ payload }) => payload.status)
    t.equal(await Promise.race([booted, client.closed]), 'Accepted')
  }
  t.equal(service.complaints(), '', 'nothing is written to standard error')
  t.match(await service.request('GET', '/api/v1/chargepoints/NEW-1'), {
    status: 200,
    body: { charge_point_id: 'NEW-1' },
  })
  await t.rejects(connectOcpp(`${service.ocppUrl}/not_an_id`), /HTTP 404/)
})

test('connecting - an id that is reserved is not registered by a connection either', async (t) => {
  const ids = ['bulk', 'history', 'search']
  for (const id of ids) await t.rejects(connectOcpp(`${unusual.ocppUrl}/${id}`), /HTTP 404/, id)
  const attempts = await until(async () => {
    const { body } = await unusual.request('GET', '/api/v1/cpo/connection-attempts')
    const found = body.data.filter(({ reason }: { reason: string }) => reason === 'reserved_identity')
    return found.length >= ids.length && found
  })
  for (const attempt of attempts) t.match(attempt, { reason: 'reserved_identity', advice: /another one\.$/ })
  t.same(attempts.map((attempt: { charge_point_id: string }) => attempt.charge_point_id).sort(), ids)
  t.match(unusual.output(), /reserved_identity/)
  const { body } = await unusual.request('GET', '/api/v1/chargepoints?per_page=100')
  const registered = body.data.map((chargePoint: { charge_point_id: string }) => chargePoint.charge_point_id)
  t.equal(registered.length, body.total, 'all of them are listed')
  t.same(
    registered.filter((id: string) => ids.includes(id)),
    [],
  )
})

test('connecting - a new password is pushed, and the old one is good until the first login with the new one', async (t) => {
  await service.register('CP-PUSHED')
  const url = `${service.ocppUrl}/CP-PUSHED`
  const path = '/api/v1/chargepoints/CP-PUSHED/authorization-key'
  const old: string = (await service.request('POST', path, {})).body.authorization_key
  const client = await connectOcpp(url, basic('CP-PUSHED', old))
  await client.boot()
  const pushed = service.request('POST', path, { push: true })
  const call = await client.answerNext({ status: 'Accepted' })
  t.match(call, [2, String, 'ChangeConfiguration', { key: 'AuthorizationKey' }])
  const fresh: string = (await pushed).body.authorization_key
  t.match((call[3] as { value: string }).value.toLowerCase(), fresh)
  t.not(fresh, old)

  await (await connectOcpp(url, basic('CP-PUSHED', old))).close()
  await (await connectOcpp(url, basic('CP-PUSHED', old))).close()
  await (await connectOcpp(url, basic('CP-PUSHED', fresh))).close()
  // Until then it is let in; one that comes too often may have to wait between.
  await until(() =>
    connectOcpp(url, basic('CP-PUSHED', old)).then(
      (late) => late.close(),
      (error: Error) => error.message === 'HTTP 401',
    ),
  )
  await (await connectOcpp(url, basic('CP-PUSHED', fresh))).close()
  t.notMatch(service.output(), old)
  t.notMatch(service.output(), fresh)
})

test('connecting - a password that is set or replaced ends the connection that has not shown it, one that is pushed ends none', async (t) => {
  await service.register('CP-CHANGED')
  const url = `${service.ocppUrl}/CP-CHANGED`
  const set = async (): Promise<string> =>
    (await service.request('POST', '/api/v1/chargepoints/CP-CHANGED/authorization-key')).body.authorization_key
  const open = await connectOcpp(url)
  const first = await set()
  const ended = { code: 1000, reason: 'the password has been changed' }
  t.same(await open.closed, ended)
  const secured = await connectOcpp(url, basic('CP-CHANGED', first))
  const second = await set()
  t.same(await secured.closed, ended)
  const kept = await connectOcpp(url, basic('CP-CHANGED', second))
  await kept.boot()
  const pushed = service.request('POST', '/api/v1/chargepoints/CP-CHANGED/authorization-key', { push: true })
  await kept.answerNext({ status: 'Accepted' })
  t.equal((await pushed).status, 201)
  t.match(await kept.call('Heartbeat', {}), { error: undefined })
})

test('connecting - when its password is removed, a charge point needs none', async (t) => {
  await service.register('CP-OPEN')
  const path = '/api/v1/chargepoints/CP-OPEN/authorization-key'
  await service.request('POST', path, {})
  await t.rejects(connectOcpp(`${service.ocppUrl}/CP-OPEN`), /HTTP 401/)
  t.equal((await service.request('DELETE', path)).status, 204)
  t.match(await (await connectOcpp(`${service.ocppUrl}/CP-OPEN`)).boot(), { payload: { status: 'Accepted' } })
})

test('connecting - a charge point that connects again and again has to wait', async (t) => {
  const service = await startService(t, {
    flags: ['--flap-connects-per-minute', '2', '--refusals-per-second', '1'],
  })
  await service.register('CP-1')
  for (let at = 0; at < 2; at++) await (await connectOcpp(`${service.ocppUrl}/CP-1`)).close()
  await t.rejects(connectOcpp(`${service.ocppUrl}/CP-1`), /HTTP 503/)
  await t.rejects(connectOcpp(`${service.ocppUrl}/CP-1`), /HTTP 503/)
  const list = await refusedAs(service, 2)
  for (const attempt of list.body.data) t.match(attempt, { reason: 'flapping', charge_point_id: 'CP-1' })

  const other = await makeOrganization(service)
  await other.register('CP-OTHER')
  for (let at = 0; at < 2; at++) await (await connectOcpp(`${service.ocppUrl}/CP-OTHER`)).close()
  for (let at = 0; at < 3; at++) await t.rejects(connectOcpp(`${service.ocppUrl}/CP-OTHER`), /HTTP 503/)
  const others = await until(async () => {
    const { body } = await other.request('GET', '/api/v1/cpo/connection-attempts')
    return body.total === 3 && body
  })
  t.match(
    others.data[0],
    { reason: 'flapping', charge_point_id: 'CP-OTHER' },
    'its own organization sees why it is away',
  )
  t.match(await service.request('GET', '/api/v1/cpo/connection-attempts'), { body: { total: 2 } }, 'no other does')
  // Whoever has the id next has not connected again and again.
  t.equal((await other.request('DELETE', '/api/v1/chargepoints/CP-OTHER')).status, 204)
  await service.register('CP-OTHER')
  await (await connectOcpp(`${service.ocppUrl}/CP-OTHER`)).close()

  // Of the same service, which lets one address be refused thirty times at once: whoever guesses ids learns no more of them then.
  // Each comes in once or twice at most: more would be too often.
  const known = Array.from({ length: 12 }, (_, at) => `KNOWN-${at}`)
  for (const id of known) await service.register(id)
  const nextKnown = (): string => {
    const [id = ''] = known.splice(0, 1)
    known.push(id)
    return id
  }
  await service.register('CP-3')
  const neighbour = await connectOcpp(`${service.ocppUrl}/CP-3`)
  await neighbour.boot()
  await neighbour.close()
  const guess = (id: string) => rawUpgrade(service.port, `/ocpp16/${id}`)
  const answers: RawSocket[] = []
  while (answers.at(-1)?.status !== 503) answers.push(await guess(`GUESS-${answers.length}`))
  t.ok(answers.length > 30, `${answers.length} guesses`)
  // One more is let in each second, which may be one of these.
  const both = await until(async () => {
    const answers = await Promise.all([guess('NOBODY'), guess(nextKnown())])
    return answers.every(({ status }) => status === 503) && answers
  })
  const said = await Promise.all(both.map(({ body }) => until(body)))
  t.match(said[0], /^too_many_refusals: /)
  t.equal(said[0], said[1])
  t.match(both[1]?.head, /Retry-After: 1\r?$/m)
  // One that was let in from there is looked at all the same, and the list says once what has become of the others.
  t.equal((await guess('cp-3')).status, 101)
  const unseen = await until(async () => {
    const { body } = await service.request('GET', '/api/v1/cpo/connection-attempts?per_page=100')
    const found = body.data.filter(({ reason }: { reason: string }) => reason === 'too_many_refusals')
    return found.length > 0 && found
  })
  t.match(unseen, [{ remote_address: '127.0.0.1', http_status: 503 }])
  t.equal(unseen.length, 1)
  // It is let in again in a while, of which it is told.
  await until(async () => (await guess(nextKnown())).status === 101)
})

test('connecting - a web page of somebody else is not taken for a charge point that has no password', async (t) => {
  await service.register('CP-PAGE')
  const from = async (origin: string) => (await rawUpgrade(service.port, '/ocpp16/CP-PAGE', { Origin: origin })).status
  t.equal(await from('https://evil.example'), 403)
  t.equal(await from('null'), 403)
  t.equal(await from('http://localhost'), 101, 'what the Host says, as libraries of charge points send it')
  const path = '/api/v1/chargepoints/CP-PAGE/authorization-key'
  const key: string = (await service.request('POST', path, {})).body.authorization_key
  const headers = { ...basic('CP-PAGE', key).headers, origin: 'https://evil.example' }
  t.match(await (await connectOcpp(`${service.ocppUrl}/CP-PAGE`, { headers })).boot(), {
    payload: { status: 'Accepted' },
  })
})

test('connecting - one that speaks too fast or too much is closed and has to wait, one whose frame is too long is closed', async (t) => {
  const service = unusual
  for (const id of ['CP-1', 'CP-2', 'CP-3']) await service.register(id)
  const hasty = await connectOcpp(`${service.ocppUrl}/CP-1`)
  for (let at = 0; at < 10; at++) hasty.raw(`[2,"h${at}","Heartbeat",{}]`)
  t.match(await hasty.closed, { code: 1008, reason: 'too many messages' })
  await t.rejects(connectOcpp(`${service.ocppUrl}/CP-1`), /HTTP 503/)
  const verbose = await connectOcpp(`${service.ocppUrl}/CP-2`)
  for (let at = 0; at < 2; at++)
    verbose.raw(`[2,"v${at}","DataTransfer",{"vendorId":"V","data":"${'x'.repeat(60_000)}"}]`)
  t.match(await verbose.closed, { code: 1008, reason: 'too many bytes' })
  await t.rejects(connectOcpp(`${service.ocppUrl}/CP-2`), /HTTP 503/)
  const long = await connectOcpp(`${service.ocppUrl}/CP-3`)
  long.raw(`[2,"l","DataTransfer",{"vendorId":"V","data":"${'x'.repeat(70_000)}"}]`)
  t.match(await long.closed, { code: 1009 })
  t.match(await (await connectOcpp(`${service.ocppUrl}/CP-3`)).boot(), { payload: { status: 'Accepted' } })
})

test('connecting - one that never reads is closed before it fills the memory', async (t) => {
  const frames = ['--frames-per-second', '10000000', '--frame-burst', '10000000']
  const bytes = ['--bytes-per-second', '1000000000', '--byte-burst', '1000000000']
  const service = await startService(t, { flags: [...frames, ...bytes] })
  await service.register('CP-1')
  await service.register('CP-2')
  const socket = connect(service.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `GET /ocpp16/CP-1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ocpp1.6\r\n\r\n`,
  )
  await once(socket, 'readable')
  t.match(String(socket.read()), /^HTTP\/1\.1 101 /)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.pause()
  // A masked text frame with a mask of zeros; its answer is longer than itself.
  const text = Buffer.from(`[2,"${'m'.repeat(200)}","Nonsense${'x'.repeat(50)}",{}]`)
  const frame = Buffer.concat([Buffer.of(0x81, 0xfe, text.length >> 8, text.length & 0xff, 0, 0, 0, 0), text])
  const chunk = Buffer.concat(Array.from({ length: 50 }, () => frame))
  let ended = false
  void closed.then(() => {
    ended = true
  })
  while (!ended) {
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => {}), closed])
  }
  await closed
  t.ok(ended)
  t.match(await (await connectOcpp(`${service.ocppUrl}/CP-2`)).boot(), { payload: { status: 'Accepted' } })
})

test('connecting - SIGTERM closes every socket with 1001, and the process ends well', async (t) => {
  const service = await startService(t)
  await service.register('CP-1')
  await service.register('CP-2')
  const clients = [await connectOcpp(`${service.ocppUrl}/CP-1`), await connectOcpp(`${service.ocppUrl}/CP-2`)]
  for (const client of clients) await client.boot()
  const ended = service.stop('SIGTERM')
  for (const client of clients) t.match(await client.closed, { code: 1001 })
  t.equal(await ended, 0)
})
