// What every store does with conditions: a batch is all or nothing, and the first of those that exclude each other wins.

import type { Condition } from '../../src/runtime/store/store.js'
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

export function storeConditions(storeTest: StoreTest): void {
  storeTest('a batch whose condition fails changes nothing, and says which', async (t, store) => {
    await commit(store, [put(sessions, session('a', { version: 3 }))])
    const refusedBy = async (...conditions: Condition[]) => {
      const result = await commit(
        store,
        [put(sessions, session('a', { watts: 99 })), remove(anySessions, ['b'])],
        conditions,
      )
      return result.ok ? undefined : result.reason === 'condition_failed' ? result.condition : result.reason
    }
    const table = 'sessions'
    t.equal(await refusedBy({ table, key: ['a'], is: 'absent' }), 0)
    t.equal(await refusedBy({ table, key: ['a'], is: 'present' }, { table, key: ['b'], is: 'present' }), 1)
    t.equal(await refusedBy({ table, key: ['a'], is: 'version', version: 2 }), 0)
    t.equal(await refusedBy({ table, key: ['b'], is: 'version', version: 3 }), 0)
    t.same(store.view().get(sessions, ['a']), session('a', { version: 3 }))
    t.equal(store.view().total(sessions, 'bySite', ['site-1']), 1)
    const all = [
      { table, key: ['a'], is: 'present' },
      { table, key: ['b'], is: 'absent' },
      { table, key: ['a'], is: 'version', version: 3 },
    ] as const
    t.equal(await refusedBy(...all), undefined)
    t.equal(store.view().get(sessions, ['a'])?.watts, 99)
  })

  storeTest('a list takes no more than its bound, whoever adds to it at once', async (t, store) => {
    const group = { table: 'sessions', index: 'bySite', group: ['site-1'], is: 'below' } as const
    const add = (id: string, total: number) => commit(store, [put(sessions, session(id))], [{ ...group, total }])
    t.same(await add('a', 0), { ok: false, reason: 'condition_failed', condition: 0 })
    const results = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => add(id, 3)))
    t.same(
      results.map((result) => result.ok),
      [true, true, true, false, false],
    )
    t.equal(ids(store.view().listBy(sessions, 'bySite', ['site-1'])), 'a b c')
    await commit(store, [remove(anySessions, ['a'])])
    t.same(await add('e', 3), ok, 'what leaves makes room')
  })

  storeTest('of batches committed at once that exclude each other exactly the first is accepted', async (t, store) => {
    const results = await Promise.all(
      ['a', 'b', 'c'].map((value) =>
        commit(store, [put(readings, { key: ['k'], value })], [{ table: 'readings', key: ['k'], is: 'absent' }]),
      ),
    )
    t.same(
      results.map((result) => result.ok),
      [true, false, false],
    )
    t.equal(store.view().get(readings, ['k'])?.value, 'a')
  })
}
