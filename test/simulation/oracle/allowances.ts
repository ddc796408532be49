// That no charge point has more transactions stored than it may have. The account errs in favour of the service: what has grown back is counted
// by whichever clock has gone further, and what a shard had not yet written down when it ended may be taken again.

import type { RowChange } from './disk-watch.js'
import type { Verdict } from './verdict.js'

export interface AllowanceOracle {
  /** After a group of commits: how its sessions and its unmatched transactions have changed. */
  written(sessions: readonly RowChange[], unmatched: readonly RowChange[]): void
  /** Actors have lost what was in memory only. */
  forgotten(): void
}

interface Clock {
  monotonic(): number
  now(): number
}

interface Account {
  left: number
  /** Of the sum of what has grown back, and of the times that something was forgotten. */
  grown: number
  forgotten: number
}

/** The figures that the contract names. */
const atOnce = 1_000
const perMs = 300 / 3_600_000
const unsaved = 10

export function createAllowanceOracle({ check }: Verdict, clock: Clock): AllowanceOracle {
  const accounts = new Map<unknown, Account>()
  let monotonic = clock.monotonic()
  let wall = clock.now()
  let grown = 0
  let forgotten = 0

  function lookAtClocks(): void {
    const [monotonicNow, wallNow] = [clock.monotonic(), clock.now()]
    grown += Math.max(monotonicNow - monotonic, wallNow - wall) * perMs
    monotonic = monotonicNow
    wall = wallNow
  }

  function take(chargePointId: unknown): void {
    const before = accounts.get(chargePointId) ?? { left: atOnce, grown, forgotten }
    const more = grown - before.grown + (forgotten - before.forgotten) * unsaved
    const left = Math.min(atOnce, before.left + more) - 1
    accounts.set(chargePointId, { left, grown, forgotten })
    check('allowance', left >= -1, () => `${chargePointId} has more transactions stored than it may have`)
  }

  return {
    written(...changes) {
      lookAtClocks()
      for (const { before, after } of changes.flat())
        if (before === undefined && after !== undefined) take(after.charge_point_id)
    },
    forgotten() {
      forgotten++
    },
  }
}
