// What every store does when time passes and when it closes: old rows are removed, and what was accepted is written.

import { limits } from '../../src/runtime/limits.js'
import { commit, ids, ok, put, type StoreTest, session, sessions, tables } from './store-stage.js'

export function storeLifetime(storeTest: StoreTest): void {
  storeTest('rows past their retention are pruned, oldest first, a bounded number at a time', async (t, store) => {
    const rows = limits.prunedRowsPerPass + 10
    await commit(
      store,
      Array.from({ length: rows }, (_, at) => put(sessions, session(`s${at}`, { at }))),
    )
    t.equal(await store.prune(1_003), 3)
    t.equal(store.view().get(sessions, ['s2']), undefined)
    t.ok(store.view().get(sessions, ['s3']), 'a row exactly as old as the retention is kept')
    t.equal(await store.prune(100_000), limits.prunedRowsPerPass)
    t.equal(store.view().total(sessions, 'bySite', ['site-1']), 7)
    t.equal(store.view().countBetween(sessions, 'byTime', [], {}), 7)
    t.equal(await store.prune(100_000), 7)
    t.equal(await store.prune(100_000), 0)
  })

  storeTest('a closing store writes what it accepted and refuses the rest', async (t, store, place) => {
    const accepted = commit(store, [put(sessions, session('a'))])
    const closed = store.close()
    t.match(await commit(store, [put(sessions, session('b'))]), { ok: false, reason: 'storage_unavailable' })
    t.same(await accepted, ok)
    await closed
    const again = place.open(tables)
    t.equal(ids(again.view().list(sessions, [])), 'a')
    await again.close()
  })
}
