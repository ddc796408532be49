// The Store contract, run by every implementation: what any of them must do with rows, lists, conditions and fences.

import { type Test, test } from 'tap'
import { encodeRow } from '../../src/runtime/codec.js'
import { limits } from '../../src/runtime/limits.js'
import type { StoreOptions, StoreWriter } from '../../src/runtime/store/storage/store-writer.js'
import type { Change, CommitResult, Condition } from '../../src/runtime/store/store.js'
import { defineTable, type Key, type Table } from '../../src/runtime/store/table.js'

/** A place that survives closing: opening it again finds what was committed. */
export interface StorePlace {
  open(tables: readonly Table<never>[], options?: StoreOptions): StoreWriter
  remove(): void
}

export interface Session {
  readonly id: string
  readonly site: string
  readonly at: number
  readonly watts: number
  readonly tags: readonly string[]
  readonly version?: number
}

export const sessions = defineTable<Session>({
  name: 'sessions',
  key: (row) => [row.id],
  indexes: {
    bySite: (row) => [{ group: [row.site], order: [row.at], weight: row.watts }],
    byTag: (row) => row.tags.map((tag) => ({ group: [tag] })),
    byTime: (row) => [{ group: [], order: [row.at] }, { group: [row.site] }],
  },
  retention: { index: 'byTime', timeOf: (row) => row.at, milliseconds: 1_000 },
})

export interface Reading {
  readonly key: Key
  readonly value: string
}

export const readings = defineTable<Reading>({
  name: 'readings',
  key: (row) => row.key,
})

export const tables = [sessions, readings] as unknown as readonly Table<never>[]

export function session(id: string, fields: Partial<Session> = {}): Session {
  return { id, site: 'site-1', at: 0, watts: 1, tags: [], ...fields }
}

export function put<Row>(table: Table<Row>, row: Row): Change {
  return { type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) }
}

export function remove(table: Table<never>, key: Key): Change {
  return { type: 'remove', table: table.name, key }
}

let sequence = 0

export function commit(
  store: StoreWriter,
  changes: readonly Change[],
  conditions: readonly Condition[] = [],
): Promise<CommitResult> {
  return store.commit({ partition: 0, epoch: 1, sequence: sequence++, changes, conditions })
}

export const ids = (rows: readonly Session[]) => rows.map((row) => row.id).join(' ')
const ok = { ok: true }
const anySessions = sessions as unknown as Table<never>

export function storeContract(name: string, makePlace: () => StorePlace): void {
  function storeTest(behaviour: string, run: (t: Test, store: StoreWriter, place: StorePlace) => Promise<void>): void {
    test(`${name} - ${behaviour}`, async (t) => {
      const place = makePlace()
      const store = place.open(tables)
      t.teardown(async () => {
        await store.close()
        place.remove()
      })
      await run(t, store, place)
    })
  }

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

  storeTest('a batch of a replaced owner is refused', async (t, store) => {
    const from = (partition: number, epoch: number) =>
      store.commit({
        partition,
        epoch,
        sequence: sequence++,
        changes: [put(readings, { key: [partition, epoch], value: '' })],
      })
    t.same(await from(1, 5), ok)
    t.same(await from(1, 4), { ok: false, reason: 'stale_epoch' })
    t.same(await from(2, 4), ok, 'epochs are per partition')
    const before = from(1, 5)
    const fenced = store.fence([1], [7])
    const after = from(1, 6)
    await fenced
    t.ok(store.view().get(readings, [1, 5]), 'what was accepted before the fence is there when it resolves')
    t.same(await before, ok)
    t.same(await after, { ok: false, reason: 'stale_epoch' })
    await store.fence([1], [3])
    t.same(await from(1, 6), { ok: false, reason: 'stale_epoch' }, 'a fence is never lowered')
    t.same(await from(1, 7), ok)
  })

  storeTest(
    'who owned a partition is known over a restart, and the next owner goes on from there',
    async (t, store, place) => {
      await store.fence([3, 700], [4, 2])
      t.same([store.epochs()[3], store.epochs()[700], store.epochs()[4]], [4, 2, 0])
      await store.close()
      const again = place.open(tables)
      const from = (epoch: number) => again.commit({ partition: 3, epoch, sequence: sequence++, changes: [] })
      t.same(await from(3), { ok: false, reason: 'stale_epoch' })
      t.same(await from(5), ok)
      t.same(again.epochs()[3], 5, 'the first batch of a newer owner is as good as a fence')
      await again.close()
    },
  )

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

  storeTest('an unknown index is an error of the caller', async (t, store) => {
    t.throws(() => store.view().listBy(sessions, 'byNothing', []), /no index byNothing/)
    t.throws(() => store.view().total({ ...sessions, uncounted: ['byTag'] }, 'byTag', ['x']), /no totals are kept/)
    t.throws(() => store.view().total(sessions, 'toString', []), /no index toString/)
  })
}
