// How partitions move from one live shard to another. The table says at once who is to own them; the former owner lets go, the store refuses
// what it might still write, the new one begins, and the fronts send on to it. A shard that ends meanwhile lets go of everything by that, and
// its successor begins with what the table gives to it. A move that fails on its way is done from its first step on by the next one.

import type { Quarantined } from '../runtime/actor/blame.js'
import type { OwnedPartitions, WritablePartitionTable } from '../runtime/actor/partition-table.js'

type Answer = Promise<unknown>

export interface MovesOptions {
  readonly partitions: Pick<WritablePartitionTable, 'owner' | 'assign'>
  readonly fence: (partitions: readonly number[], epochs: readonly number[]) => Promise<void>
  readonly release: (shard: number, partitions: readonly number[]) => Answer
  readonly acquire: (shard: number, partitions: OwnedPartitions, quarantined: readonly Quarantined[]) => Answer
  /** Tells all fronts: the answer of each. */
  readonly reroute: (partitions: readonly number[]) => readonly Answer[]
  readonly quarantined: (partitions: OwnedPartitions) => readonly Quarantined[]
}

export interface Moves {
  /**
   * Resolves when the new owner has them and the fronts know. One move begins when the one before has ended. Where it rejects, nobody may
   * serve some of them until a move of these, to whichever shard, resolves.
   */
  move(partitions: readonly number[], to: number): Promise<void>
  /** A shard takes over what the table gives to it; its predecessor has ended. */
  begins<Begun>(shard: number, takeOver: () => Promise<Begun>): Promise<Begun>
}

/** Waits for each, so that nothing of a step is left when it has failed. */
async function all(answers: readonly Answer[]): Promise<void> {
  for (const answer of await Promise.allSettled(answers)) if (answer.status === 'rejected') throw answer.reason
}

export function createMoves(options: MovesOptions): Moves {
  const { partitions: table, fence, release, acquire, reroute, quarantined } = options
  let last: Promise<void> = Promise.resolve()
  const beginning = new Set<Promise<unknown>>()
  /** By shard: who waits for an answer of its present life. */
  const waiting = new Map<number, Set<() => void>>()
  /** By partition whose move has not reached its end: the shards that may have something of it. */
  const unfinished = new Map<number, ReadonlySet<number>>()

  /** A shard that ends does not answer any more. One that is taking over is asked when it can hear it. */
  async function unlessItEnds(shard: number, ask: () => Answer): Promise<void> {
    while (beginning.size > 0) await Promise.all(beginning)
    const waits = waiting.get(shard) ?? new Set()
    waiting.set(shard, waits)
    let end = (): void => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    waits.add(end)
    try {
      await Promise.race([ask(), ended])
    } finally {
      waits.delete(end)
    }
  }

  async function moveNow(given: readonly number[], to: number): Promise<void> {
    // A shard that is taking over knows already what it is to own: of the rest it has to be told.
    while (beginning.size > 0) await Promise.all(beginning)
    const moved = given.filter((partition) => table.owner(partition) !== to || unfinished.has(partition))
    if (moved.length === 0) return
    const former = new Map<number, number[]>()
    for (const partition of moved) {
      const holders = new Set([...(unfinished.get(partition) ?? []), table.owner(partition)])
      unfinished.set(partition, holders)
      for (const shard of holders) former.set(shard, [...(former.get(shard) ?? []), partition])
    }
    const owned = new Map(moved.map((partition) => [partition, table.assign(partition, to)]))
    await all([...former].map(([shard, left]) => unlessItEnds(shard, () => release(shard, left))))
    await fence([...owned.keys()], [...owned.values()])
    await unlessItEnds(to, () => acquire(to, owned, quarantined(owned)))
    await all(reroute(moved))
    for (const partition of moved) unfinished.delete(partition)
  }

  return {
    move(given, to) {
      const moving = last.then(() => moveNow(given, to))
      last = moving.catch(() => {})
      return moving
    },
    async begins(shard, takeOver) {
      for (const end of waiting.get(shard) ?? []) end()
      const begun = takeOver()
      beginning.add(begun)
      try {
        return await begun
      } finally {
        beginning.delete(begun)
      }
    },
  }
}
