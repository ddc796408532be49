import { test } from 'tap'
import { putRow, removeRow } from '../../src/api/pipeline/changes.js'
import { beginAtOnce } from '../../src/api/pipeline/long-reads.js'
import { walkList } from '../../src/api/pipeline/paging.js'
import { limits } from '../../src/runtime/limits.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { unowned } from '../../src/runtime/store/store.js'
import { defineTable, type Table } from '../../src/runtime/store/table.js'

interface Row {
  readonly id: number
  readonly at: number
}

const rows = defineTable<Row>({
  name: 'rows',
  key: (row) => [row.id],
  indexes: { byTime: (row) => [{ group: ['all'], order: [row.at] }] },
})

for (const newestFirst of [false, true]) {
  test(`paging - a walk ${newestFirst ? 'back' : 'on'} meets each row once, also when the one it stands on goes`, async (t) => {
    const store = openMemoryStore([rows as unknown as Table<never>])
    const count = 2 * limits.rowsPerWalkStep + 10
    const made = Array.from({ length: count }, (_, id) => ({ id, at: Math.floor(id / 3) }))
    await store.commit(unowned(made.map((row) => putRow(rows, row))))
    const met: number[] = []
    const list = { index: 'byTime', group: ['all'] }
    for await (const step of walkList({
      view: store.view(),
      begin: beginAtOnce('org_1'),
      table: rows,
      list,
      newestFirst,
    })) {
      met.push(...step.map((row) => row.id))
      await store.commit(unowned([removeRow(rows, [met.at(-1) as number])]))
    }
    const ids = made.map((row) => row.id)
    t.same(met, newestFirst ? ids.reverse() : ids)
  })
}
