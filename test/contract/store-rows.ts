// What every store does with rows: read back, replaced, removed, of any size, and refused where they cannot be stored.

import { limits } from '../../src/runtime/limits.js'
import {
  anySessions,
  commit,
  ids,
  ok,
  put,
  readings,
  remove,
  type StoreTest,
  session,
  sessions,
} from './store-stage.js'

export function storeRows(storeTest: StoreTest): void {
  storeTest('a row is read back by its key, replaced, and removed', async (t, store) => {
    t.same(await commit(store, [put(sessions, session('a', { tags: ['x'] }))]), ok)
    t.same(store.view().get(sessions, ['a']), session('a', { tags: ['x'] }))
    await commit(store, [put(sessions, session('a', { watts: 9 }))])
    t.equal(store.view().get(sessions, ['a'])?.watts, 9)
    await commit(store, [remove(anySessions, ['a'])])
    t.equal(store.view().get(sessions, ['a']), undefined)
    t.equal(store.view().total(sessions, 'bySite', ['site-1']), 0)
    t.same(await commit(store, [remove(anySessions, ['never was'])]), ok)
  })

  storeTest('rows of any size and content come back as they were', async (t, store) => {
    const value = `${'long '.repeat(40_000)}ü中😀\0`
    await commit(store, [put(readings, { key: ['big'], value }), put(readings, { key: ['empty'], value: '' })])
    t.equal(store.view().get(readings, ['big'])?.value, value)
    t.same(
      store
        .view()
        .list(readings, [])
        .map((row) => row.value.length),
      [value.length, 0],
    )
  })

  storeTest('a batch that cannot be stored is refused alone, with none of its changes', async (t, store) => {
    const results = await Promise.all([
      commit(store, [put(sessions, session('a'))]),
      commit(store, [put(sessions, session('b')), put(readings, { key: ['x'.repeat(limits.keyBytes)], value: '' })]),
      commit(store, [put(sessions, session('c')), { type: 'remove', table: 'no such table', key: ['a'] }]),
      commit(store, [put(sessions, session('d', { watts: 0.5 }))]),
      commit(store, [put(readings, { key: [], value: '' })]),
      commit(store, [put(sessions, session('e'))]),
    ])
    t.same(
      results.map((result) => result.ok),
      [true, false, false, false, false, true],
    )
    t.match(results[1], { reason: 'storage_unavailable', message: /key is longer/ })
    t.equal(ids(store.view().list(sessions, [])), 'a e')
    t.equal(store.view().total(sessions, 'bySite', ['site-1']), 2)
  })
}
