// The PartitionTable contract: what whoever asks for owners and epochs may rely on, however the table comes to them.

import { type Test, test } from 'tap'
import { type PartitionTable, partitionCount } from '../../src/runtime/actor/partition-table.js'

export interface PartitionTablePlace {
  /** Gives the partition to an owner, and resolves with its new epoch once every reader has it. */
  assign(partition: number, owner: number): Promise<number>
  /** As a thread, or a node, of its own sees the table. */
  reader(): PartitionTable
  /** Another table, which goes on with the epochs of this one. */
  restarted(): PartitionTablePlace
}

export function partitionTableContract(implementation: string, place: (t: Test) => PartitionTablePlace): void {
  const name = (what: string) => `${implementation} - partition table: ${what}`

  test(name('every assignment raises the epoch, of that partition alone, also to the same owner'), async (t) => {
    const table = place(t)
    const reader = table.reader()
    const other = reader.epoch(8)
    const first = await table.assign(7, 2)
    const second = await table.assign(7, 2)
    const third = await table.assign(7, 3)
    t.ok(first < second && second < third)
    t.same([reader.owner(7), reader.epoch(7), reader.epoch(8)], [3, third, other])
  })

  test(name('every reader sees the same owner and epoch, also one that came later'), async (t) => {
    const table = place(t)
    const early = table.reader()
    const epoch = await table.assign(9, 4)
    for (const reader of [early, table.reader()]) t.same([reader.owner(9), reader.epoch(9)], [4, epoch])
  })

  test(name('the first and the last partition have owners of their own'), async (t) => {
    const table = place(t)
    await table.assign(0, 1)
    await table.assign(partitionCount - 1, 2)
    const reader = table.reader()
    t.same([reader.owner(0), reader.owner(partitionCount - 1)], [1, 2])
  })

  test(name('epochs go on over a restart: no owner has that of an earlier one'), async (t) => {
    const table = place(t)
    await table.assign(5, 1)
    const before = await table.assign(5, 1)
    t.ok((await table.restarted().assign(5, 1)) > before)
  })
}
