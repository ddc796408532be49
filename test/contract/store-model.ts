// Random batches against a naive model of the store: the same rows, lists, totals and counts after every one.

import fc from 'fast-check'
import { test } from 'tap'
import type { ListQuery } from '../../src/runtime/store/store.js'
import type { IndexEntry, Key, KeyPart, Table } from '../../src/runtime/store/table.js'
import { defineTable } from '../../src/runtime/store/table.js'
import { put, remove, type StorePlace } from './store-stage.js'

interface Item {
  readonly id: readonly KeyPart[]
  readonly entries: readonly { readonly group: Key; readonly order: Key; readonly weight: number }[]
  readonly text: string
}

const items = defineTable<Item>({ name: 'items', key: (row) => row.id, indexes: { lists: (row) => row.entries } })
const itemTables = [items] as unknown as readonly Table<never>[]

function comparePart(a: KeyPart, b: KeyPart): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'number') return -1
  if (typeof b === 'number') return 1
  const x = Array.from(a, (character) => character.codePointAt(0) as number)
  const y = Array.from(b, (character) => character.codePointAt(0) as number)
  for (let i = 0; i < Math.min(x.length, y.length); i++) if (x[i] !== y[i]) return (x[i] as number) - (y[i] as number)
  return x.length - y.length
}

function compare(a: Key, b: Key): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = comparePart(a[i] as KeyPart, b[i] as KeyPart)
    if (order !== 0) return order
  }
  return a.length - b.length
}

const same = (a: Key, b: Key) => compare(a, b) === 0

function within(key: Key, { from, to }: ListQuery): boolean {
  return (
    (from === undefined || compare(key, from) >= 0) && (to === undefined || to.length === 0 || compare(key, to) < 0)
  )
}

function page<Value>(values: Value[], { reverse, offset = 0, limit }: ListQuery): Value[] {
  const ordered = reverse ? [...values].reverse() : values
  return ordered.slice(offset, limit === undefined ? undefined : offset + limit)
}

interface Model {
  rows: Item[]
}

function standing(model: Model, group: Key): { key: Key; entry: IndexEntry; row: Item }[] {
  const found: { key: Key; entry: IndexEntry; row: Item }[] = []
  for (const row of model.rows) {
    for (const entry of row.entries) {
      if (!same(entry.group, group)) continue
      const key = [...entry.order, ...row.id]
      const at = found.findIndex((other) => same(other.key, key))
      if (at < 0) found.push({ key, entry, row })
      else found[at] = { key, entry, row }
    }
  }
  return found.sort((a, b) => compare(a.key, b.key))
}

// Few and awkward values, so that keys meet, and are prefixes of each other.
const part = fc.oneof(
  fc.constantFrom<KeyPart>('', 'a', 'a\0', 'ab', '\u0001', 'é', '😀', '\uffff', 0, -0, 1, -1, -1.5, 256),
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.double({ noNaN: true }),
)
const smallPart = fc.constantFrom<KeyPart>('', 'a', 'a\0', 0, -1, 2)
// Keys of a table have as many parts, and orders of an index too: two parts and one.
const id = fc.tuple(smallPart, part)
const group = fc.array(smallPart, { maxLength: 2 })
const order = fc.tuple(smallPart)
const item: fc.Arbitrary<Item> = fc.record({
  id,
  entries: fc.array(fc.record({ group, order, weight: fc.integer({ min: -3, max: 9 }) }), { maxLength: 4 }),
  text: fc.string({ maxLength: 5 }),
})
const change = fc.oneof(
  { weight: 4, arbitrary: item.map((row) => ({ type: 'put', row }) as const) },
  { weight: 1, arbitrary: id.map((key) => ({ type: 'remove', key }) as const) },
)
const batch = fc.record({
  changes: fc.array(change, { maxLength: 8 }),
  absent: fc.option(id, { nil: undefined }),
})
const query: fc.Arbitrary<ListQuery> = fc.record(
  {
    from: fc.array(smallPart, { maxLength: 3 }),
    to: fc.array(smallPart, { maxLength: 3 }),
    reverse: fc.boolean(),
    offset: fc.nat(4),
    limit: fc.nat(5),
  },
  { requiredKeys: [] },
)
const step = fc.record({ batches: fc.array(batch, { minLength: 1, maxLength: 4 }), group, prefix: group, query })

function applyToModel(
  model: Model,
  { changes, absent }: { changes: readonly Change[]; absent: Key | undefined },
): boolean {
  if (absent !== undefined && model.rows.some((row) => same(row.id, absent))) return false
  for (const one of changes) {
    const key = one.type === 'put' ? one.row.id : one.key
    model.rows = model.rows.filter((row) => !same(row.id, key))
    if (one.type === 'put') model.rows.push(one.row)
  }
  return true
}

type Change = { readonly type: 'put'; readonly row: Item } | { readonly type: 'remove'; readonly key: Key }

export function storeModel(name: string, makePlace: () => StorePlace, runs: number): void {
  test(`${name} - lists, totals and counts are those of a naive model after any batches`, async (t) => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      const place = makePlace()
      const store = place.open(itemTables)
      const model: Model = { rows: [] }
      let sequence = 0
      try {
        for (const { batches, group, prefix, query } of steps) {
          const expected = batches.map((one) => applyToModel(model, one))
          const results = await Promise.all(
            batches.map(({ changes, absent }) =>
              store.commit({
                partition: 0,
                epoch: 0,
                sequence: ++sequence,
                changes: changes.map((one) =>
                  one.type === 'put' ? put(items, one.row) : remove(items as unknown as Table<never>, one.key),
                ),
                conditions: absent === undefined ? [] : [{ table: 'items', key: absent, is: 'absent' }],
              }),
            ),
          )
          const view = store.view()
          const entries = standing(model, group)
          const bounded = entries.filter((entry) => within(entry.key, query))
          const under = model.rows
            .filter((row) => same(row.id.slice(0, prefix.length), prefix))
            .filter((row) => within(row.id.slice(prefix.length), query))
            .sort((a, b) => compare(a.id, b.id))
          const seen = {
            accepted: results.map((result) => result.ok),
            list: view.list(items, prefix, query).map((row) => row.text),
            listBy: view.listBy(items, 'lists', group, query).map((row) => row.text),
            total: view.total(items, 'lists', group),
            count: view.countBetween(items, 'lists', group, query),
          }
          const wanted = {
            accepted: expected,
            list: page(under, query).map((row) => row.text),
            listBy: page(bounded, query).map((entry) => entry.row.text),
            total: entries.reduce((sum, { entry }) => sum + (entry.weight ?? 1), 0),
            count: bounded.length,
          }
          if (JSON.stringify(seen) !== JSON.stringify(wanted))
            throw new Error(`store ${JSON.stringify(seen)}\nmodel ${JSON.stringify(wanted)}`)
        }
      } finally {
        await store.close()
        place.remove()
      }
    })
    await fc.assert(property, { numRuns: runs })
    t.pass(`${runs} runs`)
  })
}
