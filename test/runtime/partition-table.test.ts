// The partition table: one table for all threads, whose epochs only grow.

import { Worker } from 'node:worker_threads'
import { test } from 'tap'
import {
  addressKey,
  asOwner,
  partitionCount,
  partitionOf,
  sharedPartitionTable,
} from '../../src/runtime/actor/partition-table.js'
import { type PartitionTablePlace, partitionTableContract } from '../contract/partition-table.js'

/** A worker would see the same cells: the table is memory that all threads share. */
function shared(epochs: readonly number[] = []): PartitionTablePlace {
  const table = sharedPartitionTable()
  table.begin(epochs)
  return {
    assign: async (partition, owner) => table.assign(partition, owner),
    reader: () => sharedPartitionTable(table.shared),
    restarted: () => shared(Array.from({ length: partitionCount }, (_, partition) => table.epoch(partition))),
  }
}

partitionTableContract('shared memory', () => shared())

test('partition table - another thread sees an assignment', async (t) => {
  const table = sharedPartitionTable()
  const module = new URL('../../src/runtime/actor/partition-table.js', import.meta.url).href
  const script = `
    const { workerData, parentPort } = require('node:worker_threads')
    import(workerData.module).then(({ sharedPartitionTable }) => {
      const table = sharedPartitionTable(workerData.shared)
      parentPort.postMessage([table.owner(9), table.epoch(9)])
    })`
  table.assign(9, 4)
  const worker = new Worker(script, { eval: true, workerData: { module, shared: table.shared } })
  const seen = await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  await worker.terminate()
  t.same(seen, [4, 1])
})

test('partition table - addresses are spread over all partitions, always the same way', (t) => {
  const used = new Map<number, number>()
  for (let at = 0; at < 25_600; at++) {
    const partition = partitionOf(addressKey({ kind: 'charge-point', id: `CP-${at}` }))
    used.set(partition, (used.get(partition) ?? 0) + 1)
  }
  t.equal(used.size, partitionCount)
  t.ok(Math.max(...used.values()) < 200, 'no partition has twice its share')
  // A change of the hash would move every actor away from its rows' numbers.
  t.equal(partitionOf('charge-point/CP-1'), 198)
  t.end()
})

test('partition table - an owner that has been replaced does not learn of the epoch of its successor', async (t) => {
  const table = sharedPartitionTable()
  table.assign(7, 1)
  const owner = asOwner(table)
  table.assign(7, 1)
  t.equal(owner.epoch(7), 1)
  t.equal(table.epoch(7), 2)
})
