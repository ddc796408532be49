// What every store does with lists: which rows stand in them, in which order, and how they are read and counted.

import type { Key } from '../../src/runtime/store/table.js'
import { commit, days, ids, put, readings, remove, type StoreTest, session, sessions } from './store-stage.js'

export function storeLists(storeTest: StoreTest): void {
  storeTest('an index follows a row from group to group', async (t, store) => {
    await commit(store, [put(sessions, session('a', { watts: 5 })), put(sessions, session('b', { watts: 7 }))])
    t.equal(store.view().total(sessions, 'bySite', ['site-1']), 12)
    await commit(store, [put(sessions, session('a', { site: 'site-2', watts: 6 }))])
    const view = store.view()
    t.equal(ids(view.listBy(sessions, 'bySite', ['site-1'])), 'b')
    t.equal(ids(view.listBy(sessions, 'bySite', ['site-2'])), 'a')
    t.equal(view.total(sessions, 'bySite', ['site-1']), 7)
    t.equal(view.total(sessions, 'bySite', ['site-2']), 6)
  })

  storeTest('a row moves within its group when its order changes', async (t, store) => {
    await commit(store, [put(sessions, session('a', { at: 1 })), put(sessions, session('b', { at: 2 }))])
    t.equal(ids(store.view().listBy(sessions, 'bySite', ['site-1'])), 'a b')
    await commit(store, [put(sessions, session('a', { at: 3 }))])
    t.equal(ids(store.view().listBy(sessions, 'bySite', ['site-1'])), 'b a')
  })

  storeTest('a weight that changes in place changes the total', async (t, store) => {
    await commit(store, [put(sessions, session('a', { watts: 5 }))])
    await commit(store, [put(sessions, session('a', { watts: -3 })), put(sessions, session('a', { watts: 4 }))])
    t.equal(store.view().total(sessions, 'bySite', ['site-1']), 4)
  })

  storeTest('a row stands in several lists, and once in a list that it names twice', async (t, store) => {
    await commit(store, [
      put(sessions, session('a', { tags: ['x', 'y', 'x'] })),
      put(sessions, session('b', { tags: ['y'] })),
    ])
    t.equal(ids(store.view().listBy(sessions, 'byTag', ['x'])), 'a')
    t.equal(ids(store.view().listBy(sessions, 'byTag', ['y'])), 'a b')
    t.equal(store.view().total(sessions, 'byTag', ['x']), 1)
    await commit(store, [put(sessions, session('a', { tags: ['z'] }))])
    t.equal(ids(store.view().listBy(sessions, 'byTag', ['y'])), 'b')
    t.equal(store.view().total(sessions, 'byTag', ['y']), 1)
    t.equal(store.view().total(sessions, 'byTag', ['x']), 0)
  })

  storeTest(
    'a row that is listed by its key stands in its lists once, however often it is replaced',
    async (t, store) => {
      const listed = () => store.view().listBy(days, 'byMonth', [1])
      await commit(store, [put(days, { day: 31, notes: 'a' }), put(days, { day: 31, notes: 'b' })])
      await commit(store, [put(days, { day: 31, notes: 'c' }), put(days, { day: 32, notes: 'd' })])
      t.same(listed(), [
        { day: 31, notes: 'c' },
        { day: 32, notes: 'd' },
      ])
      t.equal(store.view().total(days, 'byMonth', [1]), 2)
      await commit(store, [remove(days as never, [31])])
      t.same(listed(), [{ day: 32, notes: 'd' }])
      t.equal(store.view().total(days, 'byMonth', [1]), 1)
    },
  )

  storeTest('a group does not contain the groups that begin with it', async (t, store) => {
    await commit(store, [put(sessions, session('a', { at: 3 }))])
    t.equal(ids(store.view().listBy(sessions, 'byTime', [])), 'a')
    t.equal(store.view().countBetween(sessions, 'byTime', [], {}), 1)
    t.equal(store.view().total(sessions, 'byTime', []), 1)
  })

  storeTest('a list is read by bounds, backwards, by offset and by limit', async (t, store) => {
    await commit(
      store,
      [-20, -1, 0, 1, 2, 3].map((at) => put(sessions, session(`s${at}`, { at }))),
    )
    const list = (query: object) => ids(store.view().listBy(sessions, 'bySite', ['site-1'], query))
    t.equal(list({}), 's-20 s-1 s0 s1 s2 s3')
    t.equal(list({ reverse: true }), 's3 s2 s1 s0 s-1 s-20')
    t.equal(list({ from: [-1], to: [2] }), 's-1 s0 s1')
    t.equal(list({ from: [-1], to: [2], reverse: true }), 's1 s0 s-1')
    t.equal(list({ from: [0, 's0'] }), 's0 s1 s2 s3', 'a bound may go down to the primary key')
    t.equal(list({ to: [0, 's0'] }), 's-20 s-1')
    t.equal(list({ to: [0, 's0'], reverse: true }), 's-1 s-20')
    t.equal(list({ offset: 2, limit: 2 }), 's0 s1')
    t.equal(list({ offset: 2, limit: 2, reverse: true }), 's1 s0')
    t.equal(list({ from: [0], offset: 1, limit: 1 }), 's1')
    t.equal(list({ to: [1], offset: 1, limit: 1, reverse: true }), 's-1')
    t.equal(list({ limit: 0 }), '')
    t.equal(list({ offset: 6 }), '')
    t.equal(list({ to: [1], offset: 4 }), '', 'an offset does not pass the end of the list')
    t.equal(list({ from: [1], offset: 4, reverse: true }), '')
    t.equal(list({ from: [3], to: [1] }), '')
    t.equal(store.view().countBetween(sessions, 'bySite', ['site-1'], { from: [-1], to: [2] }), 3)
    t.equal(store.view().countBetween(sessions, 'bySite', ['site-2'], {}), 0)
  })

  storeTest('a table is listed in the order of its keys, under a prefix', async (t, store) => {
    const keys: Key[] = [
      ['a', 1],
      ['a', 2],
      ['a', 2, 'x'],
      ['ab', 1],
      ['b', -1],
      ['b', 1],
    ]
    await commit(
      store,
      [...keys].reverse().map((key) => put(readings, { key, value: '' })),
    )
    const list = (prefix: Key, query = {}) =>
      store
        .view()
        .list(readings, prefix, query)
        .map((row) => row.key)
    t.same(list([]), keys)
    t.same(list([], { reverse: true, limit: 2 }), [
      ['b', 1],
      ['b', -1],
    ])
    t.same(list(['a']), keys.slice(0, 3))
    t.same(list(['a', 2]), keys.slice(1, 3))
    t.same(list(['b'], { from: [0] }), [['b', 1]], 'bounds follow the prefix')
    t.same(list([], { from: ['ab'], to: ['b'] }), [['ab', 1]])
  })

  storeTest('keys sort: numbers by value, then strings by code point', async (t, store) => {
    const ordered = [
      Number.NEGATIVE_INFINITY,
      -1e300,
      -2,
      -1.5,
      -1,
      -1e-300,
      0,
      1e-300,
      1,
      1.5,
      2,
      10,
      2 ** 31,
      2 ** 53,
      Number.POSITIVE_INFINITY,
      '',
      '\0',
      '\0a',
      '\u0001',
      '\u0002',
      '\u001b',
      '0',
      'A',
      'a',
      'a\0',
      'a\0b',
      'a\u0001',
      'a!',
      'aa',
      'é',
      '中',
      '\ud800',
      '\uffff',
      '😀',
    ]
    await commit(
      store,
      [...ordered].reverse().map((part) => put(readings, { key: [part, 'x'], value: String(part) })),
    )
    t.same(
      store
        .view()
        .list(readings, [])
        .map((row) => row.key[0]),
      ordered,
    )
    for (const part of ordered) t.equal(store.view().list(readings, [part]).length, 1, JSON.stringify(part))
    t.equal(store.view().get(readings, [-0, 'x'])?.value, '0', '-0 and 0 are one key')
    const long = 'x'.repeat(100)
    await commit(store, [
      put(readings, { key: [`${long}\0y`], value: '1' }),
      put(readings, { key: [long, 'y'], value: '2' }),
    ])
    t.equal(store.view().get(readings, [`${long}\0y`])?.value, '1', 'a NUL does not end a long part')
  })

  storeTest('an unknown index is an error of the caller', async (t, store) => {
    t.throws(() => store.view().listBy(sessions, 'byNothing', []), /no index byNothing/)
    t.throws(() => store.view().total({ ...sessions, uncounted: ['byTag'] }, 'byTag', ['x']), /no totals are kept/)
    t.throws(() => store.view().total(sessions, 'toString', []), /no index toString/)
  })
}
