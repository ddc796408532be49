// The feed over a store in memory: where a reader may begin, what it is refused, and what a page costs.

import { test } from 'tap'
import { limits } from '../../src/api/areas/events/limits.js'
import { limits as webhooksLimits } from '../../src/api/areas/webhooks/limits.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import { chargePointConnected, chargePointDisconnected } from '../../src/events/charge-point.js'
import { domainEvent } from '../../src/events/define-event.js'
import { eventChange, type OutboxRow, outboxTable } from '../../src/runtime/actor/outbox.js'
import { timeOfId } from '../../src/runtime/ids.js'
import { until } from '../support/until.js'
import { createTestApi, type TestApi } from './fixture.js'

const dayMs = 86_400_000

const connected = (organizationId: string, subject = 'CP-1') =>
  domainEvent(
    chargePointConnected,
    { organizationId, subject },
    { charge_point_id: subject, connected_at: '2026-11-20T00:00:00.000Z', remote_address: '127.0.0.1' },
  )
const disconnected = (organizationId: string, subject = 'CP-1') =>
  domainEvent(
    chargePointDisconnected,
    { organizationId, subject },
    { charge_point_id: subject, disconnected_at: '2026-11-20T00:00:00.000Z', code: 1000, reason: '' },
  )

async function happen(
  service: TestApi,
  count: number,
  make = connected,
  organizationId = service.operator.organizationId,
) {
  const changes = Array.from({ length: count }, () => eventChange(make(organizationId), service.now()))
  await service.commit(...changes)
}

const feed = (service: TestApi, query = '', key = service.operator.key) =>
  service.call('GET', `/api/v1/events${query}`, undefined, { key })

async function refusalOf(service: TestApi, query: string) {
  const { status, body } = await feed(service, query)
  return [status, body.error.code, body.error.details?.[0]?.path]
}

test('events - a key needs the scope that webhooks need', async (t) => {
  const service = await createTestApi()
  const key = await service.addKey(service.operator.organizationId, [
    'read:charge_points',
    'read:sessions',
    'read:billing',
  ])
  for (const path of ['', '/stream']) {
    const { status, body } = await feed(service, path, key)
    t.same([status, body.required_scope], [403, 'read:webhooks'])
  }
  const allowed = await service.addKey(service.operator.organizationId, ['write:webhooks'])
  t.equal((await feed(service, '', allowed)).status, 200)
})

test('events - an empty feed says where to go on, and goes on there', async (t) => {
  const service = await createTestApi()
  const empty = await feed(service)
  t.same(empty.body.data, [])
  t.equal(empty.body.has_more, false)
  await happen(service, 3)
  const { body } = await feed(service, `?cursor=${empty.body.next_cursor}&limit=2`)
  t.equal(body.data.length, 2)
  t.equal(body.has_more, true)
  t.equal(body.next_cursor, body.data[1].id)
  const rest = await feed(service, `?cursor=${body.next_cursor}`)
  t.equal(rest.body.data.length, 1)
  t.equal(rest.body.has_more, false)
  const end = await feed(service, `?cursor=${rest.body.next_cursor}`)
  t.same(end.body, { data: [], next_cursor: rest.body.next_cursor, has_more: false })
  const exact = await feed(service, '?limit=3')
  t.equal(exact.body.has_more, false, 'a page that is just full is the last')
})

test('events - from begins at a time, and a cursor goes before it', async (t) => {
  const service = await createTestApi()
  await happen(service, 2)
  await service.pass(60_000)
  const from = new Date(service.now()).toISOString()
  await happen(service, 1, disconnected)
  const { body } = await feed(service, `?from=${from}`)
  t.same(
    body.data.map(({ event }: { event: string }) => event),
    ['charge_point.disconnected'],
  )
  const again = await feed(service, `?from=${from}&cursor=evt_00000000000000000000000000`)
  t.equal(again.body.data.length, 3)
  const later = await feed(service, '?from=2100-01-01T00:00:00Z')
  t.same(later.body.data, [])
  await happen(service, 1)
  const { body: next } = await feed(service, `?cursor=${later.body.next_cursor}`)
  t.equal(next.data.length, 1, 'a time to come is taken for now')
})

test('events - what cannot be a place in the feed is refused, and said which', async (t) => {
  const service = await createTestApi()
  for (const cursor of [
    'x',
    'evt_',
    'evt_8ZZZZZZZZZZZZZZZZZZZZZZZZZ',
    'cmd_01M7YWG4JM0000000000000000',
    'evt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ',
  ]) {
    t.same(await refusalOf(service, `?cursor=${cursor}`), [400, 'validation_error', 'cursor'], cursor)
    t.same(await refusalOf(service, `/stream?cursor=${cursor}`), [400, 'validation_error', 'cursor'], cursor)
    const headers = { 'last-event-id': cursor }
    const { status, body } = await service.call('GET', '/api/v1/events/stream', undefined, {
      key: undefined,
      headers: { ...headers, authorization: `Bearer ${service.operator.key}` },
    })
    t.same([status, body.error.details[0].path], [400, 'Last-Event-ID'], cursor)
  }
  t.same(await refusalOf(service, '?from=yesterday'), [400, 'validation_error', 'from'])
  t.same(await refusalOf(service, '?limit=0'), [400, 'validation_error', 'limit'])
  t.same(await refusalOf(service, '?limit=1001'), [400, 'validation_error', 'limit'])
  t.same(await refusalOf(service, '?types=session.started,session.stared'), [400, 'validation_error', 'types/1'])
  t.same(await refusalOf(service, '?types=sess*'), [400, 'validation_error', 'types/0'])
})

test('events - types are names and areas, with commas or repeated', async (t) => {
  const service = await createTestApi()
  await happen(service, 1)
  await happen(service, 1, disconnected)
  const countOf = async (query: string) => (await feed(service, query)).body.data.length
  t.equal(await countOf('?types=charge_point.connected'), 1)
  t.equal(await countOf('?types=charge_point.connected,session.*,'), 1)
  t.equal(await countOf('?types=charge_point.connected&types=charge_point.disconnected'), 2)
  t.equal(await countOf('?types=charge_point.*'), 2)
  t.equal(await countOf('?types=*'), 2)
  t.equal(await countOf('?types='), 2)
  t.equal(await countOf('?types=session.*'), 0)
  const named = (count: number) => `?types=${Array(count).fill('session.*').join()}`
  t.equal(await countOf(named(webhooksLimits.webhookEvents)), 0)
  t.same(await refusalOf(service, named(webhooksLimits.webhookEvents + 1)), [400, 'validation_error', 'types'])
})

test('events - those of a site are those that name it, and those about charge points that are in it now', async (t) => {
  const service = await createTestApi()
  const place = { name: 'Car park', address: '', max_grid_power_kw: 50, latitude: 52, longitude: 5 }
  const { site_id } = (await service.call('POST', '/api/v1/sites', place)).body
  for (const id of ['CP-1', 'CP-2']) await service.register(id)
  const path = `/api/v1/sites/${site_id}/chargers/CP-1`
  await service.call('POST', `${path}/link`)
  await service.commit(
    ...['CP-1', 'CP-2'].map((id) => eventChange(connected(service.operator.organizationId, id), service.now())),
  )
  const connection = service.connect('CP-1')
  await service.settled()
  const timestamp = new Date(service.now()).toISOString()
  service.tellFrom(connection, 'StartTransaction', { connectorId: 1, idTag: 'TAG-1', meterStart: 0, timestamp })
  await service.settled()
  const names = async () => {
    const { body } = await feed(service, `?site_id=${site_id}`)
    for (const { subject } of body.data) t.equal(subject, 'CP-1')
    return body.data.map(({ event }: { event: string }) => event)
  }
  const all = await names()
  for (const name of ['charge_point.connected', 'session.started']) t.ok(all.includes(name), name)
  const { stream } = await service.api.handle({
    method: 'GET',
    path: '/api/v1/events/stream',
    query: `site_id=${site_id}&cursor=evt_00000000000000000000000000`,
    headers: { authorization: `Bearer ${service.operator.key}` },
    body: undefined,
    remoteAddress: '127.0.0.1',
  })
  let streamed = ''
  const reader = stream?.open(() => undefined)
  while (!streamed.includes('session.started')) {
    streamed += Buffer.from(reader?.read() ?? []).toString()
    await service.settled()
  }
  t.same(
    [...streamed.matchAll(/^event: (\S+)$/gm)].map(([, name]) => name),
    all,
  )
  reader?.close()
  await service.call('DELETE', path)
  const left = await names()
  t.ok(left.includes('session.started'), 'a session stays where it started')
  t.notOk(left.includes('charge_point.connected'))
  t.same((await feed(service, '?site_id=site_none')).body.data, [])
})

test('events - a page without what is asked for reads so much and no more, and says where to go on', async (t) => {
  const service = await createTestApi()
  await happen(service, limits.feedEventsPerPage + 10)
  await happen(service, 1, disconnected)
  const first = await feed(service, '?types=charge_point.disconnected')
  t.same([first.body.data, first.body.has_more], [[], true])
  const second = await feed(service, `?types=charge_point.disconnected&cursor=${first.body.next_cursor}`)
  t.equal(second.body.data.length, 1)
  t.equal(second.body.has_more, false)
})

test('events - a place behind which events have outlived their time is refused, and no other', async (t) => {
  const service = await createTestApi()
  const quiet = await service.addOrganization()
  await happen(service, 2)
  await happen(service, 1, connected, quiet.organizationId)
  const before = (await feed(service, '?limit=1')).body.next_cursor
  const seen = (await feed(service)).body.next_cursor
  const seenByQuiet = (await feed(service, '', quiet.key)).body.next_cursor
  const from = new Date(service.now() - 1_000).toISOString()
  await service.pass(31 * dayMs)
  await service.store.prune(service.now())
  await happen(service, 1, disconnected)
  t.same(await refusalOf(service, `?cursor=${before}`), [410, 'cursor_expired', undefined])
  t.same(await refusalOf(service, `/stream?cursor=${before}`), [410, 'cursor_expired', undefined])
  t.same(await refusalOf(service, `?from=${from}`), [410, 'cursor_expired', undefined])
  t.equal((await feed(service, `?cursor=${seen}`)).body.data.length, 1, 'who had seen them all has missed none')
  t.equal((await feed(service)).body.data.length, 1, 'without a cursor the feed begins at the oldest')
  const rest = await feed(service, `?cursor=${seenByQuiet}`, quiet.key)
  t.same([rest.status, rest.body.data], [200, []], 'a cursor lasts however long nothing happens')
  const { next_cursor: oldest } = (await feed(service, '', quiet.key)).body
  t.equal((await feed(service, `?cursor=${oldest}`, quiet.key)).status, 200)
})

/** What a stream that catches up has by then: `null` at its end. */
const wrapped = <Part>(part: Part | undefined) => (part === undefined ? undefined : { part })

test('events - those that an earlier version has stored are told like all others', async (t) => {
  const service = await createTestApi()
  const before = { id: 'evt_01M7YW4E6G8V7S5D6C4R2T1X0Z', ...connected(service.operator.organizationId) }
  await service.commit(putRow(outboxTable, before as OutboxRow))
  await happen(service, 1)
  const { status, body } = await feed(service)
  t.equal(status, 200)
  t.match(body.data, [{ id: before.id, created_at: new Date(timeOfId(before.id)).toISOString() }, { subject: 'CP-1' }])
  const stream = await feed(service, '/stream?cursor=evt_00000000000000000000000000')
  const reader = stream.stream?.open(() => {})
  t.match(String(reader?.read()), /^retry/)
  t.match(String((await until(() => wrapped(reader?.read()))).part), before.id)
  reader?.close()
})

test('events - a stream that cannot go on ends, as a page that cannot be read is an error, and nothing else does', async (t) => {
  const service = await createTestApi()
  const unreadable = {
    id: 'evt_01M7YW4E6G8V7S5D6C4R2T1X0Z',
    ...connected(service.operator.organizationId),
    at: Number.NaN,
  }
  await service.commit(putRow(outboxTable, unreadable))
  t.equal((await feed(service)).status, 500)
  const { stream } = await feed(service, '/stream?cursor=evt_00000000000000000000000000')
  const reader = stream?.open(() => {})
  t.match(String(reader?.read()), /^retry/)
  t.equal((await until(() => wrapped(reader?.read()))).part, null)
  reader?.close()
})
