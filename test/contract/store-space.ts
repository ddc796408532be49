// What every store does when its owner notes that space is low: in which order it stops taking rows, and what it keeps of series.

import { test } from 'tap'
import { createSpace } from '../../src/runtime/store/storage/space.js'
import type { StoreOptions, StoreWriter } from '../../src/runtime/store/storage/store-writer.js'
import { unowned } from '../../src/runtime/store/store.js'
import { defineTable, type Table } from '../../src/runtime/store/table.js'
import { put, remove, type StorePlace } from './store-stage.js'

interface Reading {
  readonly meter: string
  readonly at: number
  readonly register?: number
  readonly detail?: string
  readonly kept?: true
}

const readings = defineTable<Reading>({
  name: 'readings',
  key: (row) => [row.meter, row.at],
  indexes: { byMeter: (row) => [{ group: [row.meter] }] },
  importance: 'transaction',
  thinning: {
    keep: ({ meter, at, register }) => (register === undefined ? undefined : { meter, at, register, kept: true }),
    kept: (row) => row.kept === true,
    seriesParts: 1,
  },
})
const named = { key: (row: { readonly id: string }) => [row.id] }
const notes = defineTable({ name: 'notes', ...named })
const states = defineTable({ name: 'states', ...named, importance: 'operation' })
const charges = defineTable({ name: 'charges', ...named, importance: 'transaction' })
const tables = [readings, notes, states, charges] as unknown as readonly Table<never>[]
const lowBytes = 1_600

export function storeSpace(name: string, makePlace: () => StorePlace): void {
  function open(t: { teardown(handler: () => Promise<void>): void }) {
    const place = makePlace()
    const space = createSpace(tables)
    let store = place.open(tables, { space })
    t.teardown(async () => {
      await store.close()
      place.remove()
    })
    return {
      space,
      store,
      async reopen(options: StoreOptions): Promise<StoreWriter> {
        await store.close()
        store = place.open(tables, options)
        return store
      },
    }
  }

  test(`${name} - ordinary rows are refused first, those of transactions never, and removals never`, async (t) => {
    const { space, store } = open(t)
    const row = { id: 'a' }
    const taken = async (...changes: Parameters<typeof unowned>[0]) => (await store.commit(unowned(changes))).ok
    const each = async () => [
      await taken(put(notes, row)),
      await taken(put(states, row)),
      await taken(put(charges, row)),
      await taken(put(notes, row), put(charges, row)),
      await taken(remove(notes as unknown as Table<never>, ['a'])),
    ]
    t.same(await each(), [true, true, true, true, true])
    space.note(lowBytes - 1, lowBytes)
    t.same(await each(), [true, true, true, true, true], 'low alone refuses nothing')
    space.note(lowBytes / 4 - 1, lowBytes)
    t.same(await each(), [false, true, true, true, true])
    space.note(lowBytes / 16 - 1, lowBytes)
    t.same(await each(), [false, false, true, true, true], 'a batch counts as the most important of its rows')
    t.match(await store.commit(unowned([put(notes, row)])), { reason: 'storage_unavailable' })
    t.equal(space.refused, 4)
    space.note(2 * lowBytes, lowBytes)
    t.same(await each(), [true, true, true, true, true])
  })

  test(`${name} - while space is low, a series keeps its newest remainder only`, async (t) => {
    const { space, store } = open(t)
    const write = (...rows: readonly Reading[]) => store.commit(unowned(rows.map((row) => put(readings, row))))
    await write({ meter: 'm', at: 1, register: 10, detail: 'x' })
    space.note(0, lowBytes)
    await write({ meter: 'm', at: 2, register: 20, detail: 'x' }, { meter: 'm', at: 3, detail: 'x' })
    await write({ meter: 'm', at: 4, register: 40, detail: 'x' }, { meter: 'n', at: 1, register: 7 })
    await write({ meter: 'm', at: 4, register: 41 })
    const whole = { meter: 'm', at: 1, register: 10, detail: 'x' }
    t.same(store.view().list(readings, ['m']), [whole, { meter: 'm', at: 4, register: 41, kept: true }])
    t.same(store.view().list(readings, ['n']), [{ meter: 'n', at: 1, register: 7, kept: true }])
    t.equal(store.view().total(readings, 'byMeter', ['m']), 2, 'the lists agree')
    t.equal(space.thinned, 5)
    space.note(2 * lowBytes, lowBytes)
    await write({ meter: 'm', at: 5, register: 50, detail: 'y' })
    t.match(store.view().list(readings, ['m']).at(-1), { at: 5, detail: 'y' })
    t.equal(store.view().total(readings, 'byMeter', ['m']), 3)
  })

  test(`${name} - that space is low is in the store: who goes on with it thins as well until it is said otherwise`, async (t) => {
    const { space, store, reopen } = open(t)
    const write = async (to: Pick<StoreWriter, 'commit' | 'view'>, at: number) => {
      await to.commit(unowned([put(readings, { meter: 'm', at, register: at, detail: 'x' })]))
      return to.view().list(readings, ['m']).at(-1)?.kept
    }
    space.note(0, lowBytes)
    t.equal(await write(store, 1), true)
    const again = await reopen({})
    t.equal(await write(again, 2), true)
    const ample = await reopen({ space: createSpace(tables) })
    t.equal(await write(ample, 3), undefined)
  })
}
