import { test } from 'tap'
import { putRow, removeRow } from '../../src/api/pipeline/changes.js'
import { beginAtOnce } from '../../src/api/pipeline/long-reads.js'
import { pageOf, timesBetween, walkList } from '../../src/api/pipeline/paging.js'
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

test('paging - pages of a list in memory have all items, each once', (t) => {
  const items = Array.from({ length: 10 }, (_, index) => index)
  const pages = [0, 4, 8, 12].map((offset) => pageOf(items, { offset, limit: 4 }))
  t.same(pages, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9], []])
  t.end()
})

test('paging - a period has the rows at its beginning and at its end', async (t) => {
  const store = openMemoryStore([rows as unknown as Table<never>])
  const times = [999, 1_000, 1_500, 2_000, 2_001]
  await store.commit(unowned(times.map((at, id) => putRow(rows, { id, at }))))
  const bounds = timesBetween({ from: new Date(1_000).toISOString(), to: new Date(2_000).toISOString() })
  const found = store.view().listBy(rows, 'byTime', ['all'], bounds)
  t.same(
    found.map(({ at }) => at),
    [1_000, 1_500, 2_000],
  )
})
