// What the store does where one of its own rules is broken: a batch that breaks one is refused alone, and a link that has lost something
// ends the thread, so that nothing more is acknowledged.

import { once } from 'node:events'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { type Test, test } from 'tap'
import { encodeRow } from '../../src/runtime/codec.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import type { StoreOptions } from '../../src/runtime/store/storage/store-writer.js'
import type { Change, ChangeBatch, Store } from '../../src/runtime/store/store.js'
import { defineTable, type Table } from '../../src/runtime/store/table.js'
import { createFakeClock } from '../support/fake-clock.js'

interface Row {
  readonly id: string
}

/** What its list and its log say of a row can be changed from outside, which no table of the service lets happen. */
function oddTables() {
  const odd = { group: 'one', prefix: 'b' }
  const rows = defineTable<Row>({
    name: 'rows',
    key: (row) => [row.id],
    indexes: { byGroup: () => [{ group: [odd.group] }] },
  })
  const log = defineTable<Row>({
    name: 'log',
    key: (row) => [row.id],
    log: {
      get idPrefix() {
        return odd.prefix
      },
    },
  })
  return { odd, rows, log }
}

function idsOf(store: Pick<Store, 'view'>, table: Table<Row>): readonly string[] {
  const rows = store.view().list(table, [])
  return rows.map(({ id }) => id)
}

function openOdd(options: StoreOptions = {}) {
  const tables = oddTables()
  const broken: string[] = []
  const store = openMemoryStore([tables.rows, tables.log], {
    flushWhen: 'manual',
    clock: createFakeClock(),
    onBroken: ({ message }) => broken.push(message),
    ...options,
  })
  let sequence = 0
  function commit(changes: readonly Change[], batch: Partial<ChangeBatch> = {}) {
    return store.commit({ partition: 0, epoch: 1, sequence: ++sequence, changes, ...batch })
  }
  return { ...tables, store, broken, commit }
}

const put = (table: string, id: string): Change => ({ type: 'put', table, key: [id], row: encodeRow({ id }) })

test('broken store - a batch that comes a second time is refused, and what its owner sends then is taken', async (t) => {
  const { store, rows, commit, broken } = openOdd()
  const answers = [
    commit([put('rows', 'a')]),
    commit([put('rows', 'a2')], { sequence: 1 }),
    commit([put('rows', 'b')], { partition: 1, sequence: 1 }),
    commit([put('rows', 'c')]),
  ]
  store.flush()
  t.match(await Promise.all(answers), [
    { ok: true },
    { ok: false, reason: 'storage_unavailable', message: /numbers of an owner's batches rise \(found 1, 1\)/ },
    { ok: true },
    { ok: true },
  ])
  t.same(idsOf(store, rows), ['a', 'b', 'c'])
  t.match(broken, [/batches rise/])
  const successor = commit([put('rows', 'd')], { epoch: 2, sequence: 1 })
  store.flush()
  t.same(await successor, { ok: true }, 'a new owner begins anew')
})

test('broken store - of a group, the batch alone is refused that would leave a list with fewer than no rows', async (t) => {
  const { odd, store, rows, commit, broken } = openOdd()
  const before = commit([put('rows', 'a')])
  store.flush()
  await before
  odd.group = 'two'
  const answers = [
    commit([put('rows', 'b')]),
    commit([put('rows', 'c')]),
    commit([
      { type: 'remove', table: 'rows', key: ['a'] },
      { type: 'remove', table: 'rows', key: ['b'] },
      { type: 'remove', table: 'rows', key: ['c'] },
    ]),
    commit([put('log', '')]),
  ]
  store.flush()
  odd.group = 'one'
  const later = commit([put('log', '')])
  store.flush()
  t.match(await Promise.all([...answers, later]), [
    { ok: true },
    { ok: true },
    { ok: false, reason: 'storage_unavailable', message: /has at least as many rows as leave it/ },
    { ok: true },
    { ok: true },
  ])
  t.same(idsOf(store, rows), ['a', 'b', 'c'])
  t.equal(store.view().total(rows, 'byGroup', ['two']), 2)
  t.match(broken, [/at least as many/])
})

test('broken store - an event that would come before the newest is refused, and the log stays as it was', async (t) => {
  const { odd, store, log, commit, broken } = openOdd()
  const first = commit([put('log', '')])
  store.flush()
  odd.prefix = 'a'
  const wrong = commit([put('log', ''), put('rows', 'a')])
  store.flush()
  odd.prefix = 'b'
  const next = commit([put('log', '')])
  store.flush()
  t.match(await Promise.all([first, wrong, next]), [
    { ok: true },
    { ok: false, message: /a log grows at its end/ },
    { ok: true },
  ])
  const ids = store
    .view()
    .list(log, [])
    .map(({ id }) => id)
  t.equal(ids.length, 2)
  t.same(ids, [...ids].sort())
  t.match(broken, [/grows at its end/])
})

/** A thread that holds one end of a link; resolves with the error that ends it. */
function startThread(t: Test, code: string, port: MessagePort): { readonly ended: Promise<Error> } {
  const source = `
    const { parentPort, workerData: { base, port } } = require('node:worker_threads')
    const load = (path) => import(new URL(path, base).href)
    ;(async () => { ${code} })().then(() => parentPort.postMessage('ready'))`
  const workerData = { base: new URL('../../', import.meta.url).href, port }
  const worker = new Worker(source, { eval: true, workerData, transferList: [port] })
  t.teardown(() => worker.terminate())
  return { ended: once(worker, 'error').then(([error]) => error as Error) }
}

test('broken store - a store thread that has missed a commit ends, and acknowledges nothing more', async (t) => {
  const { port1, port2 } = new MessageChannel()
  t.teardown(() => port1.close())
  const code = `
    const { openMemoryStore } = await load('src/runtime/store/memory-store.js')
    const { serveStore } = await load('src/runtime/link/store-service.js')
    serveStore(openMemoryStore([]), port)`
  const { ended } = startThread(t, code, port2)
  const answers: unknown[] = []
  port1.on('message', (answer) => answers.push(answer))
  const batch: ChangeBatch = { partition: 0, epoch: 1, sequence: 1, changes: [] }
  port1.postMessage({ ids: [1], batches: [batch] })
  port1.postMessage({ ids: [3], batches: [{ ...batch, sequence: 3 }] })
  t.match(await ended, { message: /no commit is lost, or comes twice, on its way to the store \(found 3, 1\)/ })
  t.notOk(JSON.stringify(answers).includes('3'))
})

test('broken store - a shard that is answered a commit which it has not made ends, and is not told that it is on disk', async (t) => {
  const { port1, port2 } = new MessageChannel()
  t.teardown(() => port1.close())
  const { ended } = startThread(t, "(await load('src/runtime/link/store-client.js')).connectStore(port, {})", port2)
  port1.postMessage({ ids: [1], results: [{ ok: true }] })
  t.match(await ended, { message: /a commit that was made is answered, and once \(found 1\)/ })
})
