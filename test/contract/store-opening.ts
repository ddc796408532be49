// The Store contract at opening: boot numbers, schema versions, migrations, new indexes, and what is measured.

import { type Test, test } from 'tap'
import { limits } from '../../src/runtime/limits.js'
import type { GroupMeasure, StoreOptions } from '../../src/runtime/storage/store-writer.js'
import { defineTable, type Table } from '../../src/runtime/table.js'
import { commit, ids, put, type Session, type StorePlace, session, sessions, tables } from './store.js'

export function storeOpening(name: string, makePlace: () => StorePlace): void {
  function placeTest(behaviour: string, run: (t: Test, place: StorePlace) => Promise<void>): void {
    test(`${name} - ${behaviour}`, async (t) => {
      const place = makePlace()
      t.teardown(() => place.remove())
      await run(t, place)
    })
  }

  placeTest('every opening has a greater boot number and finds what was committed', async (t, place) => {
    const first = place.open(tables)
    await commit(first, [put(sessions, session('a'))])
    await first.close()
    const second = place.open(tables)
    t.equal(second.bootNumber, first.bootNumber + 1)
    t.ok(second.view().get(sessions, ['a']))
    await second.close()
  })

  placeTest('a store of a newer schema is not opened, and says what to do', async (t, place) => {
    await place.open(tables, { schemaVersion: 7 }).close()
    t.throws(() => place.open(tables, { schemaVersion: 3 }), {
      message: /has schema version 7, this program knows versions up to 3: start a newer ampshard or restore a backup$/,
    })
    await place.open(tables, { schemaVersion: 7 }).close()
  })

  placeTest('an older store is migrated step by step, its indexes with it', async (t, place) => {
    const old = place.open(tables)
    const many = limits.migrationRows + 5
    await commit(
      old,
      Array.from({ length: many }, (_, at) => put(sessions, session(`s${at}`, { at }))),
    )
    await old.close()
    const steps: number[] = []
    const options: StoreOptions = {
      schemaVersion: 3,
      migrations: [
        { to: 3, migrate: () => steps.push(3) },
        {
          to: 2,
          migrate(transaction) {
            steps.push(2)
            const rows = transaction.rewrite(sessions, (row) => {
              const stored = row as Session
              return stored.at === 0 ? undefined : { ...stored, site: 'site-2', watts: 2 }
            })
            t.equal(rows, many)
            const renamed = (row: unknown) => ({ ...(row as Session), id: 'other' })
            t.throws(() => transaction.rewrite(sessions, renamed), /would change its key/)
            transaction.rebuildIndexes(sessions)
            transaction.remove(sessions, ['s1'])
            transaction.put(sessions, session('new', { site: 'site-2', watts: 2 }))
            t.equal(transaction.view.total(sessions, 'bySite', ['site-2']), 2 * (many - 1))
          },
        },
      ],
    }
    const store = place.open(tables, options)
    t.same(steps, [2, 3])
    t.equal(store.view().total(sessions, 'bySite', ['site-1']), 0)
    t.equal(store.view().total(sessions, 'bySite', ['site-2']), 2 * (many - 1))
    t.equal(store.view().countBetween(sessions, 'bySite', ['site-2'], {}), many - 1)
    t.equal(store.view().get(sessions, ['s0']), undefined)
    await store.close()
    await place.open(tables, options).close()
    t.same(steps, [2, 3], 'a migration runs once')
  })

  placeTest('a migration that fails leaves the store as it was', async (t, place) => {
    const old = place.open(tables)
    await commit(old, [put(sessions, session('a'))])
    await old.close()
    const migrate = (transaction: { rewrite: (table: typeof sessions, change: () => undefined) => number }) => {
      transaction.rewrite(sessions, () => undefined)
      throw new Error('half way')
    }
    t.throws(() => place.open(tables, { schemaVersion: 2, migrations: [{ to: 2, migrate }] }), /half way/)
    t.throws(() => place.open(tables, { schemaVersion: 2 }), /no migration leads to version 2/)
    const store = place.open(tables)
    t.equal(ids(store.view().listBy(sessions, 'bySite', ['site-1'])), 'a')
    t.equal(store.view().total(sessions, 'bySite', ['site-1']), 1)
    await store.close()
  })

  placeTest('an index added to a table is filled with the rows that are there', async (t, place) => {
    const without = defineTable<Session>({ name: 'sessions', key: (row) => [row.id] })
    const old = place.open([without] as unknown as readonly Table<never>[])
    await commit(old, [put(without, session('a', { watts: 4 })), put(without, session('b', { watts: 5 }))])
    await old.close()
    const store = place.open(tables)
    t.equal(ids(store.view().listBy(sessions, 'bySite', ['site-1'])), 'a b')
    t.equal(store.view().total(sessions, 'bySite', ['site-1']), 9)
    await store.close()
  })

  placeTest('every group written is measured', async (t, place) => {
    const groups: GroupMeasure[] = []
    const store = place.open(tables, { onGroup: (group) => groups.push(group) })
    await Promise.all([commit(store, [put(sessions, session('a')), put(sessions, session('b'))]), commit(store, [])])
    await store.close()
    t.equal(
      groups.reduce((sum, group) => sum + group.batches, 0),
      2,
    )
    t.equal(
      groups.reduce((sum, group) => sum + group.changes, 0),
      2,
    )
    t.ok(groups.every((group) => group.written && group.milliseconds >= 0))
  })

  placeTest('two tables of one name, or a retention by no index, are refused', async (t, place) => {
    t.throws(() => place.open([...tables, ...tables]), /one name/)
    const kept = { ...sessions, retention: { index: 'byAge', milliseconds: 1 } } as unknown as Table<never>
    t.throws(() => place.open([kept]), /names no index of it: byAge/)
  })
}
