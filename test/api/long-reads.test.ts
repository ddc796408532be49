// Reads whose cost grows with a table: how much of them goes on in one turn of the event loop, and how many there are at once.

import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'tap'
import { putRow, removeRow } from '../../src/api/pipeline/changes.js'
import { limits } from '../../src/api/pipeline/limits.js'
import { createLongReads, type LongRead } from '../../src/api/pipeline/long-reads.js'
import { countBetween, readLongPage, readPart, walkList } from '../../src/api/pipeline/paging.js'
import { chargePointsTable } from '../../src/records/charge-point.js'
import { limits as runtimeLimits } from '../../src/runtime/limits.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { unowned } from '../../src/runtime/store/store.js'
import { defineTable, type Table } from '../../src/runtime/store/table.js'
import { registeredRow } from '../support/registration.js'
import { createTestApi, type TestApi } from './fixture.js'
import { listenFor } from './listening.js'

/** The turns of the event loop that `work` takes. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const tick = (): void => {
    turns++
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  isOver = true
  return turns
}

const many = 3_000

async function fill(api: TestApi): Promise<void> {
  const { organizationId: organization_id } = api.operator
  const place = { organization_id, latitude: 52, longitude: 5 }
  const rows = Array.from({ length: many }, (_, at) => ({ ...registeredRow(`CP-${at}`), ...place }))
  await api.commit(...rows.map((row) => putRow(chargePointsTable, row)))
}

test('long reads - a search, a list with q and others of many rows let other work go on every few hundred rows', async (t) => {
  const api = await createTestApi()
  await fill(api)
  const paths = ['/chargepoints/search?latitude=52&longitude=5&radius_km=500', '/chargepoints?q=none']
  for (const path of paths) {
    const parallel = 4
    const ask = () => api.call('GET', `/api/v1${path}`)
    const turns = await turnsOf(() => Promise.all(Array.from({ length: parallel }, ask)))
    const slices = (parallel * many) / runtimeLimits.rowsPerWalkStep / (limits.readSliceMs + 1)
    t.ok(turns >= slices, `${path}: ${turns} turns, at least ${slices}`)
  }
})

test('long reads - of one organization a few go on at once, and beyond a bound of those that wait they are refused', async (t) => {
  const reads = createLongReads({ monotonic: () => 0 })
  const begun: LongRead[] = []
  const refused: unknown[] = []
  const begin = (organizationId: string) =>
    reads
      .of(organizationId)()
      .then(
        (read) => begun.push(read),
        (error: unknown) => refused.push(error),
      )
  const { longReadsPerOrganization: atOnce, waitingReadsPerOrganization: waiting } = limits
  const all = Array.from({ length: atOnce + waiting + 3 }, () => begin('org_1'))
  await begin('org_2')
  t.ok(begun.length <= atOnce + 1, 'those of another organization wait for none of them')
  t.match(refused, [{ code: 'overloaded', extras: { retryAfterSeconds: 5 } }, {}, {}])
  t.match(reads.statistics(), { underWay: atOnce + 1, waiting, refused: 3 })
  for (let ended = 0; ended < all.length - 3 + 1; ended++) {
    begun[ended]?.end()
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  }
  await Promise.all(all)
  t.match(reads.statistics(), { underWay: 0, waiting: 0, refused: 3 })
})

test('long reads - a credential with many reads makes no other of its organization wait for more than one of them', async (t) => {
  const reads = createLongReads({ monotonic: () => 0 })
  const begun: string[] = []
  const refused: string[] = []
  const begin = (credential: string) =>
    reads
      .of('org_1', undefined, credential)()
      .then(
        (read) => {
          begun.push(credential)
          read.end()
        },
        () => refused.push(credential),
      )
  const flood = limits.longReadsPerOrganization + limits.waitingReadsPerCredential
  const all = Array.from({ length: flood + 1 }, () => begin('flood'))
  all.push(begin('other'))
  await Promise.all(all)
  t.same(refused, ['flood'], 'the room of the others is not full')
  t.ok(begun.indexOf('other') <= limits.longReadsPerOrganization + 1, `after ${begun.indexOf('other')} others`)
  t.equal(begun.length, flood + 1)
})

test('long reads - those of very many organizations delay a short one by one slice of each organization, not by their reads', async (t) => {
  const reads = createLongReads({ monotonic: () => 0 })
  const others = 40
  const finished: string[] = []
  let slicesOfOthers = 0
  async function walk(organizationId: string, slices: number, meet: () => void): Promise<void> {
    const read = await reads.of(organizationId)()
    for (let at = 0; at < slices; at++) {
      meet()
      await read.pause()
    }
    read.end()
    finished.push(organizationId)
  }
  const all: Promise<void>[] = []
  for (let at = 0; at < others; at++)
    for (let own = 0; own < limits.longReadsPerOrganization; own++)
      all.push(walk(`org_${at}`, 20, () => slicesOfOthers++))
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  const before = slicesOfOthers
  const slices = 3
  await walk('org_small', slices, () => undefined)
  const [first] = finished
  const meanwhile = slicesOfOthers - before
  t.equal(first, 'org_small', 'it waits for the end of none of them')
  t.ok(meanwhile <= (slices + 2) * others, `${meanwhile} slices of ${others} organizations with two reads each`)
  await Promise.all(all)
})

test('long reads - what others have waiting refuses none that can begin', async (t) => {
  const reads = createLongReads({ monotonic: () => 0 })
  const each = limits.longReadsPerOrganization + limits.waitingReadsPerOrganization
  const organizations = Math.ceil(limits.waitingReads / limits.waitingReadsPerOrganization)
  for (let at = 0; at < organizations; at++)
    for (let own = 0; own < each; own++)
      void reads
        .of(`org_${at}`)()
        .catch(() => undefined)
  t.match(reads.statistics(), { waiting: limits.waitingReads })
  const read = await reads.of('org_small')()
  read.end()
  t.match(reads.statistics(), { refused: 0 })
})

test('long reads - in one turn of the event loop one slice of one of them goes on', async (t) => {
  const reads = createLongReads({ monotonic: () => 0 })
  let slices = 0
  let most = 0
  async function walk(organizationId: string): Promise<void> {
    const read = await reads.of(organizationId)()
    for (let at = 0; at < 20; at++) {
      slices++
      await read.pause()
    }
    read.end()
  }
  const look = setInterval(() => undefined)
  let isOver = false
  const tick = (): void => {
    most = Math.max(most, slices)
    slices = 0
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await Promise.all(Array.from({ length: 10 }, (_, at) => walk(`org_${at}`)))
  isOver = true
  clearInterval(look)
  t.ok(most <= 2, `${most} in one turn`)
})

interface Row {
  readonly id: number
}

const rows: Table<Row> = defineTable<Row>({
  name: 'long_rows',
  key: (row) => [row.id],
  indexes: { all: (row) => [{ group: ['all'], order: [row.id] }] },
})

test('long reads - a deep page and a count pass over what is before in steps, and are exact', async (t) => {
  const store = openMemoryStore([rows as unknown as Table<never>])
  const count = 2 * limits.entriesPerStep + 1_000
  await store.commit(unowned(Array.from({ length: count }, (_, id) => putRow(rows, { id }))))
  // Every look at the clock finds the slice over.
  let now = 0
  const begin = createLongReads({ monotonic: () => (now += limits.readSliceMs) }).of('org_1')
  const list = { index: 'all', group: ['all'] }
  const options = { view: store.view(), begin, table: rows, list }
  const query = { offset: 2 * limits.entriesPerStep + 500, limit: 2 }
  let page: { readonly rows: readonly Row[]; readonly total: number } | undefined
  const turns = await turnsOf(async () => {
    page = await readLongPage({ ...options, query })
  })
  t.same(page, { rows: [{ id: query.offset }, { id: query.offset + 1 }], total: count })
  t.ok(turns >= 2, `${turns} turns`)
  const back = await readLongPage({ ...options, query, newestFirst: true })
  t.same(back.rows, [{ id: count - 1 - query.offset }, { id: count - 2 - query.offset }])
  t.same((await readLongPage({ ...options, query: { offset: count - 1, limit: 5 } })).rows, [{ id: count - 1 }])
  const part = { view: store.view(), begin, table: rows, prefix: [], query }
  t.same(await readPart(part), page?.rows, 'as of the table itself')
  t.same(await readPart({ ...part, query: { offset: 4 * count, limit: 2 } }), [])
  t.equal(await countBetween({ ...options, between: { from: [7], to: [count - 7] } }), count - 14)
  t.equal(await countBetween({ ...options, between: { from: [7], to: [17] } }), 10)
  await store.commit(unowned([removeRow(rows, [0])]))
  t.equal(await countBetween({ ...options, between: { from: [0] } }), count - 1)
})

test('long reads - a deep page, a count and a walk go on until their slice is over, however small their steps', async (t) => {
  const store = openMemoryStore([rows as unknown as Table<never>])
  const count = 3 * limits.entriesPerStep
  await store.commit(unowned(Array.from({ length: count }, (_, id) => putRow(rows, { id }))))
  let pauses = 0
  async function begin(): Promise<LongRead> {
    const read = await createLongReads({ monotonic: () => 0 }).of('org_1')()
    return {
      ...read,
      pause() {
        pauses++
        return read.pause()
      },
    }
  }
  const view = store.view()
  const query = { offset: count - 2, limit: 2 }
  const options = { view, begin, table: rows, list: { index: 'all', group: ['all'] } }
  await readLongPage({ ...options, query })
  await readPart({ view, begin, table: rows, prefix: [], query })
  await countBetween({ ...options, between: { from: [0] } })
  for await (const _ of walkList(options));
  t.equal(pauses, 0)
})

test('long reads - one whose client has closed the connection ends at its next slice', async (t) => {
  const api = await createTestApi()
  await fill(api)
  const { port } = await listenFor(t, api.api)
  const { organizationId, key } = api.operator
  const held = await Promise.all(
    Array.from({ length: limits.longReadsPerOrganization }, () => api.longReads.of(organizationId)()),
  )
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET /api/v1/chargepoints?q=none HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  while (api.longReads.statistics().waiting === 0) await turn()
  socket.destroy()
  await once(socket, 'close')
  // What comes after the end of the connection is answered after it.
  await (await fetch(`http://127.0.0.1:${port}/healthz`)).text()
  for (const read of held) read.end()
  while (api.longReads.statistics().underWay > 0) await turn()
  t.match(api.longReads.statistics(), { waiting: 0, abandoned: 1 })
})
