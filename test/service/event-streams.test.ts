// Streams of the built service over real sockets: they resume where they were cut, and end when they have to.

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, t, test } from 'tap'
import { Agent, EventSource } from 'undici'
import { inFullSuite } from '../runner/sample.js'
import { launchBrowser, needsBrowser } from '../support/browser.js'
import { readEvents } from '../support/event-stream.js'
import { makeOrganization, tenantOf } from '../support/organization.js'
import { writePastEvents } from '../support/past-events.js'
import { type Service, startService } from '../support/service.js'
import { setUpStore } from '../support/set-up-store.js'
import { storedEvents, storm } from '../support/storm.js'
import { until } from '../support/until.js'

/** For tests that look at nothing but what they have caused themselves, or what is their organization's. */
const shared = await startService(t)
const service = shared

const streamsOpened = 'ampshard_event_streams_opened_total'
const idsOf = (events: readonly { readonly id: string }[]): readonly string[] => events.map(({ id }) => id)

async function metric(service: Service, name: string): Promise<number> {
  const { body } = await service.request('GET', '/metrics')
  const found = [...String(body).matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\d+)$`, 'gm'))]
  return found.reduce((sum, [, value]) => sum + Number(value), 0)
}

test('event streams - a reader that is cut off anywhere resumes without a gap or a repeat', async (t) => {
  const service = await startService(t, { flags: ['--fronts', '2', '--shards', '2'] })
  const seen: string[] = []
  let reader = await readEvents(service)
  await until(() => reader.notes.length > 0)
  const resumed = reader.lastId()
  t.ok(resumed, 'also one that is cut off before its first event')
  reader.cut()
  let done = false
  let cuts = 0
  const reading = (async () => {
    let last = resumed
    for (;;) {
      const bytes = 1 + Math.floor(Math.random() * 20_000)
      reader = await readEvents(service, {
        lastEventId: last,
        onData: (one) => {
          if (!done && one.received() > bytes) one.cut()
        },
      })
      const stored = done ? (await storedEvents(service)).at(-1)?.id : undefined
      const end = stored === undefined ? reader.ended : until(() => reader.lastId() === stored)
      await end
      seen.push(...idsOf(reader.events))
      last = reader.lastId() ?? last
      cuts++
      if (stored === undefined) continue
      reader.cut()
      return
    }
  })()
  await storm(service, { chargePoints: 10, changes: 60 })
  done = true
  // The reader that waits now for more than it will get is let go.
  reader.cut()
  await reading
  t.ok(cuts > 3, `it was cut off ${cuts} times`)
  t.same(seen, idsOf(await storedEvents(service)))
})

/** A way to the service on which connections are lost. */
async function lossyWay(t: Test, service: Service) {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(service.port, '127.0.0.1')
    near.pipe(far)
    far.pipe(near)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
        sockets.delete(socket)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const lose = () => {
    for (const socket of sockets) socket.destroy()
  }
  t.teardown(() => {
    lose()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, lose }
}

test('event streams - an EventSource that loses its connection misses nothing', async (t) => {
  const service = await tenantOf(shared)
  const opened = await metric(shared, streamsOpened)
  const way = await lossyWay(t, service)
  const dispatcher = new Agent().compose((dispatch) => (options, handler) => {
    const headers = { ...(options.headers as Record<string, string>), authorization: `Bearer ${service.key}` }
    return dispatch({ ...options, headers }, handler)
  })
  const source = new EventSource(`${way.url}/api/v1/events/stream?types=charge_point.status_changed`, {
    dispatcher,
  })
  t.teardown(() => source.close())
  const seen: string[] = []
  source.addEventListener('charge_point.status_changed', (message) => {
    seen.push((message as unknown as { lastEventId: string }).lastEventId)
  })
  await once(source, 'open')
  await storm(service, { chargePoints: 2, changes: 20, prefix: 'SOURCE' })
  way.lose()
  await storm(service, { chargePoints: 2, changes: 20, prefix: 'SOURCE-AWAY' })
  const expected = (await storedEvents(service, service.id)).filter(
    ({ event }) => event === 'charge_point.status_changed',
  )
  t.equal(expected.length, 80)
  await until(() => seen.length >= expected.length)
  t.same(seen, idsOf(expected))
  t.equal((await metric(shared, streamsOpened)) - opened, 2)
})

test('event streams - a browser that loses its connection misses nothing', needsBrowser, async (t) => {
  const service = await tenantOf(shared)
  const opened = await metric(shared, streamsOpened)
  const way = await lossyWay(t, service)
  const context = await (await launchBrowser(t)).newContext({
    extraHTTPHeaders: { authorization: `Bearer ${service.key}` },
  })
  const page = await context.newPage()
  await page.goto(`${way.url}/docs`)
  await page.evaluate(`new Promise((resolve) => {
    window.seen = []
    const source = new EventSource('/api/v1/events/stream')
    source.addEventListener('charge_point.status_changed', ({ lastEventId }) => window.seen.push(lastEventId))
    source.onopen = resolve
  })`)
  await storm(service, { chargePoints: 2, changes: 20, prefix: 'PAGE' })
  way.lose()
  await storm(service, { chargePoints: 2, changes: 20, prefix: 'PAGE-AWAY' })
  const expected = (await storedEvents(service, service.id)).filter(
    ({ event }) => event === 'charge_point.status_changed',
  )
  const seen = await until(async () => {
    const ids = (await page.evaluate('window.seen')) as string[]
    return ids.length >= expected.length && ids
  }, 20_000)
  t.same(seen, idsOf(expected))
  t.equal((await metric(shared, streamsOpened)) - opened, 2)
})

test('event streams - one that begins in the past reads on into the present, in one order', async (t) => {
  const service = await tenantOf(shared)
  await storm(service, { chargePoints: 4, changes: 100, prefix: 'PAST' })
  const [first] = await storedEvents(service, service.id)
  const readers = await Promise.all([
    readEvents(service, { query: `?cursor=${first?.id}` }),
    readEvents(service, { lastEventId: first?.id, query: '?types=charge_point.*' }),
    readEvents(service, { lastEventId: first?.id, query: '?types=session.*&types=charge_point.disconnected' }),
  ])
  await storm(service, { chargePoints: 4, changes: 100, prefix: 'PAST-LATER' })
  const stored = (await storedEvents(service, service.id)).slice(1)
  const last = stored.at(-1)?.id
  await until(() => readers.every((reader) => reader.lastId() === last))
  t.same(idsOf(readers[0].events), idsOf(stored))
  t.same(idsOf(readers[1].events), idsOf(stored))
  t.same(idsOf(readers[2].events), idsOf(stored.filter(({ event }) => event === 'charge_point.disconnected')))
  const [, told] = readers[0].events
  const page = (await service.request('GET', `/api/v1/events?cursor=${first?.id}`)).body
  t.same(told?.data, page.data[1], 'what is streamed is what the feed has')
  t.equal(told?.event, page.data[1].event)
  for (const reader of readers) reader.cut()
  await until(async () => (await metric(service, 'ampshard_event_streams')) === 0)
})

test('event streams - each tenant is told of its own', async (t) => {
  const other = await makeOrganization(service)
  const own = await readEvents(service)
  const others = await readEvents(service, { key: other.key })
  await storm(service, { chargePoints: 2, changes: 10 })
  await storm(service, { chargePoints: 2, changes: 10, prefix: 'OTHER', organization: other })
  await until(() => others.events.length >= 24 && own.events.length >= 24)
  t.ok(own.events.every(({ data }) => data.subject.startsWith('CP-')))
  t.ok(others.events.every(({ data }) => data.subject.startsWith('OTHER-')))
})

test('event streams - one whose key is revoked ends, and tells nothing more', async (t) => {
  const made = await service.request('POST', '/api/v1/org/api-keys', { name: 'reader', scopes: ['read:webhooks'] })
  const reader = await readEvents(service, { key: made.body.key })
  await storm(service, { chargePoints: 1, changes: 2, prefix: 'BEFORE' })
  await until(() => reader.events.length === 5)
  await service.request('DELETE', `/api/v1/org/api-keys/${made.body.key_id ?? made.body.id}`)
  await until(async () => (await readEvents(service, { key: made.body.key })).status === 401)
  const refusedAt = Date.now()
  await storm(service, { chargePoints: 1, changes: 30, prefix: 'AFTER' })
  t.equal(await reader.ended, 'ended')
  const late = reader.events.filter(({ data }) => Date.parse(data.created_at) > refusedAt + 50)
  t.same(late, [])
})

test('event streams - the service stops in order while streams are open', async (t) => {
  const drainSeconds = 60
  const service = await startService(t, { flags: ['--drain-seconds', String(drainSeconds)] })
  const readers = await Promise.all(Array.from({ length: 5 }, () => readEvents(service)))
  // One of them does not read.
  readers[0]?.response.pause()
  await storm(service, { chargePoints: 1, changes: 5 })
  await until(() => readers.slice(1).every((reader) => reader.events.length === 8))
  const began = performance.now()
  t.equal(await service.stop(), 0)
  t.ok(performance.now() - began < drainSeconds * 1_000, 'and waits for none of them')
  t.same(new Set(await Promise.all(readers.slice(1).map((reader) => reader.ended))), new Set(['ended']))
})

test('event streams - HEAD has an answer, and opens nothing', async (t) => {
  const before = await metric(service, streamsOpened)
  const { status, headers, body } = await service.request('HEAD', '/api/v1/events/stream')
  t.equal(status, 200)
  t.equal(headers.get('content-type'), 'text/event-stream')
  t.equal(body, '')
  t.equal((await service.request('GET', '/api/v1/events')).status, 200, 'the connection goes on')
  t.equal(await metric(service, streamsOpened), before)
})

test(
  'event streams - a reader that does not read is cut off; nothing is gathered for it, and it resumes',
  inFullSuite,
  async (t) => {
    const key = 'k'.repeat(40)
    const data = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
    t.teardown(() => rmSync(data, { recursive: true, force: true }))
    await (await setUpStore(data, key)).store.close()
    await writePastEvents(data, 15_000, 1_000)
    const service = await startService(t, { key, data })
    const stored = await storedEvents(service)
    const socket = connect({ port: service.port, host: '127.0.0.1' })
    t.teardown(() => void socket.destroy())
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.pause()
    socket.write(
      `GET /api/v1/events/stream?cursor=${stored[0]?.id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n\r\n`,
    )
    await until(async () => (await metric(service, 'ampshard_event_streams')) === 1)
    await until(async () => (await metric(service, 'ampshard_event_streams')) === 0, 60_000)
    const told = await metric(service, 'ampshard_events_streamed_total')
    t.ok(told > 0 && told < stored.length / 2, `${told} of ${stored.length} events were written for it`)
    const reader = await readEvents(service, { lastEventId: stored[0]?.id })
    await until(() => reader.lastId() === stored.at(-1)?.id, 30_000)
    t.same(idsOf(reader.events), idsOf(stored.slice(1)))
  },
)
