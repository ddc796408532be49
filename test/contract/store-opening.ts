// The Store contract at opening: boot numbers, schema versions, migrations, new indexes, and what is measured.

import { type Test, test } from 'tap'
import { limits } from '../../src/runtime/limits.js'
import { defineMigrationStep, type RowChange } from '../../src/runtime/store/storage/migrate.js'
import type { GroupMeasure, StoreOptions, StoreWriter } from '../../src/runtime/store/storage/store-writer.js'
import { defineTable, type Table } from '../../src/runtime/store/table.js'
import {
  commit,
  ids,
  put,
  type Reading,
  readings,
  remove,
  type Session,
  type StorePlace,
  session,
  sessions,
  tables,
} from './store-stage.js'

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

  placeTest('an older store is migrated step by step, its lists with it', async (t, place) => {
    const old = place.open(tables)
    const many = limits.migrationRows + 5
    const rows = Array.from({ length: many }, (_, at) => session(`s${at}`, { at }))
    await commit(old, [...rows.map((row) => put(sessions, row)), put(readings, { key: ['a'], value: 'old' })])
    await old.close()
    const parts: string[] = []
    const options: StoreOptions = {
      schemaVersion: 3,
      onMigrationPart: ({ to, table, rows, done }) => parts.push(`${to} ${table} ${rows}${done ? ' done' : ''}`),
      migrations: [
        { to: 3, steps: [] },
        {
          to: 2,
          steps: [
            defineMigrationStep(sessions, (stored, beside) => {
              const row = stored as Session
              if (row.at > 0) return { ...row, site: 'site-2', watts: 2 }
              beside.put(readings, { key: ['removed'], value: row.id })
              beside.remove(readings, ['a'])
              return undefined
            }),
            defineMigrationStep(readings, (stored, { view }) => {
              t.equal(view.total(sessions, 'bySite', ['site-2']), 2 * (many - 1), 'the steps before are done')
              return { ...(stored as Reading), value: 'new' }
            }),
          ],
        },
      ],
    }
    const store = place.open(tables, options)
    t.same(parts, [`2 sessions ${limits.migrationRows}`, `2 sessions ${many} done`, '2 readings 1 done'])
    t.equal(store.view().total(sessions, 'bySite', ['site-1']), 0)
    t.equal(store.view().total(sessions, 'bySite', ['site-2']), 2 * (many - 1))
    t.equal(store.view().countBetween(sessions, 'bySite', ['site-2'], {}), many - 1)
    t.equal(store.view().get(sessions, ['s0']), undefined)
    t.same(store.view().list(readings, []), [{ key: ['removed'], value: 'new' }])
    await store.close()
    await place.open(tables, options).close()
    t.equal(parts.length, 3, 'a migration runs once')
  })

  placeTest(
    'a migration that is cut short goes on, and no older program opens the store meanwhile',
    async (t, place) => {
      const old = place.open(tables)
      const many = 2 * limits.migrationRows + 5
      const rows = Array.from({ length: many }, (_, at) => session(`s${at}`, { at }))
      await commit(old, [...rows.map((row) => put(sessions, row)), put(readings, { key: ['a'], value: '1' })])
      await old.close()
      const step = defineMigrationStep(sessions, (row) => ({ ...(row as Session), watts: (row as Session).watts + 1 }))
      const later = defineMigrationStep(readings, (row) => ({ ...(row as Reading), value: '2' }))
      let parts = 0
      const options = (endsAfter: number): StoreOptions => ({
        schemaVersion: 2,
        migrations: [{ to: 2, steps: [step, later] }],
        onMigrationPart() {
          parts++
          if (parts === endsAfter) throw new Error('the process ends here')
        },
      })
      for (let end = 1; end <= 4; end++) {
        t.throws(() => place.open(tables, options(end)), /the process ends here/)
        t.throws(() => place.open(tables), /has schema version 2, this program knows versions up to 1/)
      }
      const store = place.open(tables, options(0))
      t.equal(parts, 4)
      t.equal(store.view().total(sessions, 'bySite', ['site-1']), 2 * many, 'each row was changed once')
      t.same(store.view().list(readings, []), [{ key: ['a'], value: '2' }])
      await store.close()
    },
  )

  placeTest(
    'a migration that fails says where; one that fails at once leaves the store as it was',
    async (t, place) => {
      const old = place.open(tables)
      await commit(old, [put(sessions, session('a'))])
      await old.close()
      const failing = (change: RowChange<Session>): StoreOptions => ({
        schemaVersion: 2,
        migrations: [{ to: 2, steps: [defineMigrationStep(sessions, change)] }],
      })
      const halfWay: RowChange<Session> = (row, beside) => {
        beside.put(readings, { key: ['a'], value: (row as Session).id })
        throw new Error('half way')
      }
      const where = /the table sessions cannot be brought to schema version 2/
      t.throws(() => place.open(tables, failing(halfWay)), { message: /half way/ })
      t.throws(() => place.open(tables, failing(halfWay)), { message: where })
      const renaming: RowChange<Session> = (row) => ({ ...(row as Session), id: 'other' })
      t.throws(() => place.open(tables, failing(renaming)), /would change its key/)
      const touching: RowChange<Session> = (row, beside) => {
        beside.remove(sessions, ['b'])
        return row as Session
      }
      t.throws(() => place.open(tables, failing(touching)), /only in their own turn/)
      t.throws(() => place.open(tables, { schemaVersion: 2 }), /no migration leads to version 2/)
      const store = place.open(tables)
      t.equal(ids(store.view().listBy(sessions, 'bySite', ['site-1'])), 'a')
      t.equal(store.view().total(sessions, 'bySite', ['site-1']), 1)
      t.same(store.view().list(readings, []), [])
      await store.close()
    },
  )

  placeTest('an index added to a table is filled with the rows that are there', async (t, place) => {
    const without = defineTable<Session>({ name: 'sessions', key: (row) => [row.id] })
    const old = place.open([without] as unknown as readonly Table<never>[])
    const many = limits.migrationRows + 1
    const rows = Array.from({ length: many }, (_, at) => session(`s${at}`, { at, watts: 4 }))
    await commit(
      old,
      rows.map((row) => put(without, row)),
    )
    await old.close()
    const store = place.open(tables)
    t.equal(ids(store.view().listBy(sessions, 'bySite', ['site-1'])), ids(rows))
    t.equal(store.view().total(sessions, 'bySite', ['site-1']), 4 * many)
    await store.close()
  })

  /** The sessions of the contract, whose lists by site and by tag are there already or not. */
  const withLists = (
    lists: readonly string[],
    uncounted: readonly string[] = [],
    onListed: (list: string) => void = () => undefined,
  ): readonly Table<never>[] => {
    const indexes = Object.entries(sessions.indexes).filter(([list]) => lists.includes(list))
    const told = indexes.map(([list, entriesOf]) => [
      list,
      (row: Session) => {
        onListed(list)
        return entriesOf(row)
      },
    ])
    const table = { name: 'sessions', key: sessions.key, indexes: Object.fromEntries(told), uncounted }
    return [defineTable<Session>(table)] as unknown as readonly Table<never>[]
  }

  placeTest('only the lists that are new are made, and how far that has come is told', async (t, place) => {
    const old = place.open(withLists(['byTag']))
    const many = limits.migrationRows + 1
    const rows = Array.from({ length: many }, (_, at) => session(`s${at}`, { at, tags: ['x'] }))
    await commit(
      old,
      rows.map((row) => put(sessions, row)),
    )
    await old.close()
    const listed = new Set<string>()
    const parts: unknown[] = []
    const opened = withLists(['byTag', 'bySite'], [], (list) => listed.add(list))
    const store = place.open(opened, { onMigrationPart: (part) => parts.push(part) })
    t.same([...listed], ['bySite'])
    const part = { to: 1, table: 'sessions', lists: ['bySite'] }
    t.same(parts, [
      { ...part, rows: limits.migrationRows, done: false },
      { ...part, rows: many, done: true },
    ])
    t.equal(store.view().total(sessions, 'byTag', ['x']), many)
    t.equal(store.view().total(sessions, 'bySite', ['site-1']), many)
    await store.close()
    await place.open(opened, { onMigrationPart: (part) => parts.push(part) }).close()
    t.equal(parts.length, 2, 'they are made once')
  })

  placeTest('the making of lists that is cut short goes on', async (t, place) => {
    const old = place.open(withLists([]))
    const many = 2 * limits.migrationRows
    const rows = Array.from({ length: many }, (_, at) => session(`s${at}`, { at, tags: ['x'] }))
    await commit(
      old,
      rows.map((row) => put(sessions, row)),
    )
    await old.close()
    let listed = 0
    const opened = withLists(['byTag'], [], () => listed++)
    const ends = () => {
      throw new Error('the process ends here')
    }
    for (let end = 1; end <= 2; end++)
      t.throws(() => place.open(opened, { onMigrationPart: ends }), /the process ends here/)
    const store = place.open(opened)
    t.equal(listed, many, 'each row was listed once')
    t.equal(store.view().total(sessions, 'byTag', ['x']), many)
    t.equal(store.view().countBetween(sessions, 'byTag', ['x'], {}), many)
    await store.close()
  })

  placeTest('a list that comes to be counted is counted, and one that is no more has no totals', async (t, place) => {
    const counted = withLists(['byTag'])
    const uncounted = withLists(['byTag'], ['byTag'])
    const total = (store: StoreWriter) => store.view().total(sessions, 'byTag', ['x'])
    const first = place.open(counted)
    await commit(first, [put(sessions, session('a', { tags: ['x'] }))])
    await first.close()
    const second = place.open(uncounted)
    t.equal(total(second), 0)
    t.equal(ids(second.view().listBy(sessions, 'byTag', ['x'])), 'a')
    await second.close()
    const third = place.open(counted)
    t.equal(total(third), 1)
    await third.close()
  })

  placeTest('a list that no table declares is gone, and is whole when one declares it again', async (t, place) => {
    const first = place.open(withLists(['byTag']))
    await commit(first, [put(sessions, session('a', { tags: ['x'] })), put(sessions, session('b', { tags: ['x'] }))])
    await first.close()
    const without = place.open(withLists([]))
    t.equal(without.view().total(sessions, 'byTag', ['x']), 0)
    await commit(without, [remove(sessions as unknown as Table<never>, ['a'])])
    await without.close()
    const again = place.open(withLists(['byTag']))
    t.equal(ids(again.view().listBy(sessions, 'byTag', ['x'])), 'b')
    t.equal(again.view().total(sessions, 'byTag', ['x']), 1)
    await again.close()
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
