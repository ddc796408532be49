// The store in memory: the contract, and what only it can do: lose what was not flushed, and refuse on demand.

import { test } from 'tap'
import { limits } from '../../src/runtime/limits.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { memoryDisk } from '../../src/runtime/store/storage/memory-bytes.js'
import { storeContract } from '../contract/store.js'
import { storeLog } from '../contract/store-log.js'
import { storeModel } from '../contract/store-model.js'
import { storeOpening } from '../contract/store-opening.js'
import { storeSpace } from '../contract/store-space.js'
import { commit, put, type StorePlace, session, sessions, tables } from '../contract/store-stage.js'

function place(): StorePlace {
  const disk = memoryDisk()
  return {
    open: (opened, options) => openMemoryStore(opened, { ...options, disk }),
    remove: () => disk.clear(),
  }
}

storeContract('memory store', place)
storeOpening('memory store', place)
storeSpace('memory store', place)
storeLog('memory store', place)
storeModel('memory store', place, 300)

test('memory store - what is not flushed is neither visible nor acknowledged, and a crash loses it', async (t) => {
  const store = openMemoryStore(tables, { flushWhen: 'manual' })
  const kept = commit(store, [put(sessions, session('kept'))])
  t.equal(store.view().get(sessions, ['kept']), undefined)
  store.flush()
  t.same(await kept, { ok: true })
  const lost = commit(store, [put(sessions, session('lost'))])
  store.crash()
  await t.rejects(lost, /crashed before this was flushed/)
  store.flush()
  t.same(
    store
      .view()
      .list(sessions, [])
      .map((row) => row.id),
    ['kept'],
  )
  const after = commit(store, [put(sessions, session('after'))])
  store.flush()
  t.same(await after, { ok: true })
  await store.close()
})

test('memory store - a refused write changes nothing and the next one is accepted', async (t) => {
  const store = openMemoryStore(tables)
  store.failNext()
  t.match(await commit(store, [put(sessions, session('a'))]), {
    ok: false,
    reason: 'storage_unavailable',
    message: /No space left on device/,
  })
  t.equal(store.view().get(sessions, ['a']), undefined)
  t.equal(store.view().total(sessions, 'bySite', ['site-1']), 0)
  t.same(await commit(store, [put(sessions, session('a'))]), { ok: true })
  await store.close()
})

test('memory store - a fence that the disk refuses holds as soon as the disk takes writes again', async (t) => {
  const store = openMemoryStore(tables)
  await store.fence([0], [1])
  store.failNext()
  await store.fence([0], [2])
  t.same(store.epochs(), [1])
  t.same(await commit(store, [put(sessions, session('of the owner before'))]), { ok: false, reason: 'stale_epoch' })
  t.same(store.epochs(), [2])
  await store.close()
})

test('memory store - commits over the bound of the queue are refused, the ones before them are not', async (t) => {
  const store = openMemoryStore(tables, { flushWhen: 'manual' })
  const changes = [put(sessions, session('a'))]
  const accepted = Array.from({ length: limits.commitQueue }, () => commit(store, changes))
  t.match(await commit(store, changes), { ok: false, reason: 'storage_unavailable', message: /too many commits wait/ })
  store.flush()
  const results = await Promise.all(accepted)
  t.ok(results.every((result) => result.ok))
  t.same(await Promise.race([commit(store, changes), Promise.resolve('waits')]), 'waits', 'there is room again')
  await store.close()
})
