// Lists that no table declares are dropped; a start that was cut short there goes on.

import { test } from 'tap'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { checkStore } from '../../src/runtime/store/storage/check.js'
import { dropOldLists } from '../../src/runtime/store/storage/lists.js'
import { memoryDisk, memoryReader, memoryTransactions } from '../../src/runtime/store/storage/memory-bytes.js'
import { defineTable, type Table } from '../../src/runtime/store/table.js'
import { commit, put, readings, type Session, session, sessions } from '../contract/store-stage.js'

const asTables = (...all: readonly unknown[]) => all as readonly Table<never>[]

test('lists - dropping that is cut short goes on at the next start; rows of a table that nobody declares stay', async (t) => {
  const disk = memoryDisk()
  const store = openMemoryStore(asTables(sessions, readings), { disk })
  await commit(store, [put(sessions, session('a', { tags: ['x'] }))])
  await store.close()
  const databases = {
    names: () => [...disk.keys()],
    drop: () => {
      throw new Error('the process ends here')
    },
  }
  t.throws(() => dropOldLists(memoryTransactions(disk), databases, asTables(readings)), /the process ends here/)
  const withoutLists = defineTable<Session>({ name: 'sessions', key: (row) => [row.id] })
  await openMemoryStore(asTables(readings), { disk }).close()
  t.same([...disk.keys()].sort(), ['meta', 'table:sessions', 'totals'])
  t.same(checkStore(memoryReader(disk), asTables(withoutLists, readings)), { rows: 1, faults: [] })
  await openMemoryStore(asTables(sessions, readings), { disk }).close()
  t.same(checkStore(memoryReader(disk), asTables(sessions, readings)), { rows: 1, faults: [] })
})
