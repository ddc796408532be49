// The store from another thread: commits cross a port in batches, and each gets its own answer.

import { MessageChannel } from 'node:worker_threads'
import { type Test, test } from 'tap'
import { encodeRow } from '../../src/runtime/codec.js'
import { limits } from '../../src/runtime/limits.js'
import { connectStore, type StoreClient } from '../../src/runtime/link/store-client.js'
import { serveStore } from '../../src/runtime/link/store-service.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import type { ChangeBatch } from '../../src/runtime/store/store.js'
import { countersTable, scriptedTables } from './scripted-actors.js'

function connect(t: Test) {
  const store = openMemoryStore(scriptedTables)
  const { port1, port2 } = new MessageChannel()
  serveStore(store, port1)
  const client = connectStore(port2, store.view())
  t.teardown(() => port1.close())
  return { store, client }
}

let sequence = 0

function batch(id: string, options: Partial<ChangeBatch> = {}): ChangeBatch {
  const row = encodeRow({ id, count: 1 })
  return {
    partition: 0,
    epoch: 1,
    sequence: ++sequence,
    changes: [{ type: 'put', table: countersTable.name, key: [id], row }],
    ...options,
  }
}

const found = (client: StoreClient, id: string): boolean => client.view().get(countersTable, [id]) !== undefined

test('store client - a commit is sent at the flush, answered once, and then to be read', async (t) => {
  const { client } = connect(t)
  const committed = client.commit(batch('a'))
  t.equal(client.pending, 1)
  t.notOk(found(client, 'a'))
  client.flush()
  t.same(await committed, { ok: true })
  t.ok(found(client, 'a'))
  t.equal(client.pending, 0)
})

test('store client - every commit gets the answer that is its own', async (t) => {
  const { client, store } = connect(t)
  await store.fence([7], [5])
  const conditions = [{ table: countersTable.name, key: ['good'], is: 'absent' as const }]
  const answers = [
    client.commit(batch('good')),
    client.commit(batch('late', { partition: 7, epoch: 4 })),
    client.commit(batch('second', { conditions })),
    client.commit(batch('other', { changes: [{ type: 'put', table: 'nowhere', key: ['x'], row: new Uint8Array() }] })),
    client.commit(batch('last')),
  ]
  client.flush()
  t.match(await Promise.all(answers), [
    { ok: true },
    { ok: false, reason: 'stale_epoch' },
    { ok: false, reason: 'condition_failed', condition: 0 },
    { ok: false, reason: 'storage_unavailable' },
    { ok: true },
  ])
  t.notOk(found(client, 'late'))
  t.ok(found(client, 'last'))
})

test('store client - over the bound a commit is refused at once', async (t) => {
  const { client } = connect(t)
  for (let at = 0; at < limits.commitQueue; at++) void client.commit(batch('x'))
  t.match(await client.commit(batch('one-more')), { ok: false, reason: 'storage_unavailable' })
  t.equal(client.pending, limits.commitQueue)
})
