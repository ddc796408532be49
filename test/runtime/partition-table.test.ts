// The partition table: one table for all threads, whose epochs only grow.

import { Worker } from 'node:worker_threads'
import { test } from 'tap'
import { createHoldings } from '../../src/runtime/actor/holdings.js'
import {
  addressKey,
  knownTable,
  ownedBy,
  partitionCount,
  partitionOf,
  sharedPartitionTable,
} from '../../src/runtime/actor/partition-table.js'
import { type PartitionTablePlace, partitionTableContract } from '../contract/partition-table.js'

/** A worker would see the same cells: the table is memory that all threads share. */
function shared(epochs: readonly number[] = []): PartitionTablePlace {
  const table = sharedPartitionTable()
  table.begin(3, epochs)
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

test('partition table - whoever knows the table learns of a change when it looks, of that partition alone', async (t) => {
  const table = sharedPartitionTable()
  table.assign(7, 1)
  const known = knownTable(table)
  table.assign(7, 2)
  table.assign(8, 2)
  t.same([known.owner(7), known.epoch(7)], [1, 1])
  known.learn(7)
  t.same([known.owner(7), known.epoch(7), known.owner(8)], [2, 2, 0])
})

function holdings(shard: number) {
  const table = sharedPartitionTable()
  table.begin(2, [])
  for (const partition of [6, 7]) table.assign(partition, partition % 2)
  return { table, own: createHoldings(shard, table, ownedBy(table, shard)) }
}

test('holdings - an owner that has been replaced does not learn of the epoch of its successor', async (t) => {
  const { table, own } = holdings(1)
  table.assign(7, 1)
  t.equal(own.epoch(7), 1)
  t.equal(table.epoch(7), 2)
})

test('holdings - a shard holds what it was given by the table from its start on, and the rest when it acquires it', async (t) => {
  const { table, own } = holdings(1)
  t.same([own.holds(7), own.holds(6), own.owner(7), own.owner(6)], [true, false, 1, 0])
  const epoch = table.assign(6, 1)
  t.same([own.holds(6), own.owner(6) === 1], [false, false], 'its former owner may still have it')
  t.same(own.acquire(new Map([[6, epoch]])), [6])
  t.same([own.holds(6), own.owner(6), own.epoch(6)], [true, 1, epoch])
  t.same(own.acquire(new Map([[6, epoch]])), [], 'once')
})

test('holdings - a shard that leaves a partition writes by its epoch until it has let go', async (t) => {
  const { own } = holdings(1)
  const leaving = own.leave([6, 7])
  t.same([...leaving], [7])
  t.same([own.holds(7), own.epoch(7)], [false, 1])
  own.letGo(leaving)
  t.ok(own.epoch(7) < 1, 'older than any that the store takes')
  t.same(own.acquire(new Map([[7, 3]])), [7], 'and may have it back')
  own.letGo(leaving)
  t.same([own.holds(7), own.epoch(7)], [true, 3])
})
