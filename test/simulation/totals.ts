// Sums over worlds, for the report.

import type { WorldResult } from './world.js'

const counted = ['steps', 'frames', 'charges', 'commands', 'shardDeaths', 'processKills', 'partitionMoves'] as const
type Counted = (typeof counted)[number]

export interface Totals {
  readonly seeds: number
  readonly sums: Readonly<Record<Counted, number>>
  readonly counts: ReadonlyMap<string, number>
  readonly allChecks: number
  checks(invariant: string): number
  /** What happened in all of them, in a line. */
  describe(): string
}

function totalsOf({ seeds, sums, counts }: Pick<Totals, 'seeds' | 'sums' | 'counts'>): Totals {
  return {
    seeds,
    sums,
    counts,
    allChecks: [...counts.values()].reduce((all, count) => all + count, 0),
    checks: (invariant) => counts.get(invariant) ?? 0,
    describe: () =>
      `${sums.frames} frames, ${sums.charges} charges, ${sums.commands} commands, ` +
      `${sums.shardDeaths} shards and ${sums.processKills} processes ended, ` +
      `partitions moved ${sums.partitionMoves} times, ${sums.steps} steps`,
  }
}

export function emptyTotals(): Totals {
  const sums = Object.fromEntries(counted.map((name) => [name, 0])) as Record<Counted, number>
  return totalsOf({ seeds: 0, sums, counts: new Map() })
}

export function addResult(totals: Totals, result: WorldResult): Totals {
  const counts = new Map(totals.counts)
  for (const [invariant, count] of result.counts) counts.set(invariant, (counts.get(invariant) ?? 0) + count)
  const sums = Object.fromEntries(counted.map((name) => [name, totals.sums[name] + result[name]]))
  return totalsOf({ seeds: totals.seeds + 1, sums: sums as Record<Counted, number>, counts })
}
