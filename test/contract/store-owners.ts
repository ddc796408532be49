// What every store does with the owners of partitions: a batch of one that was replaced is refused.

import { nextSequence, ok, put, readings, type StoreTest, tables } from './store-stage.js'

export function storeOwners(storeTest: StoreTest): void {
  storeTest('a batch of a replaced owner is refused', async (t, store) => {
    const from = (partition: number, epoch: number) =>
      store.commit({
        partition,
        epoch,
        sequence: nextSequence(),
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
      const from = (epoch: number) => again.commit({ partition: 3, epoch, sequence: nextSequence(), changes: [] })
      t.same(await from(3), { ok: false, reason: 'stale_epoch' })
      t.same(await from(5), ok)
      t.same(again.epochs()[3], 5, 'the first batch of a newer owner is as good as a fence')
      await again.close()
    },
  )
}
