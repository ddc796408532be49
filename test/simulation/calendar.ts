// The wall clock of a world: when it begins, and how it leaps where a world needs more time than it has. A leap is time that passes: steady time
// leaps too, by which payments are retried. Timers in memory do not.

import type { SimulatedThread, SimulatedTime } from './time.js'

/** Shortly before a month ends and a week begins: 2026-06-01 is a Monday. */
const monthsEndMs = Date.UTC(2026, 4, 31, 23, 50)
/** An instant that every clock of the simulation agrees is sensible. */
const anyDayMs = Date.UTC(2026, 0, 1)
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export function beginningOf(world: { readonly periods: boolean }): number {
  return world.periods ? monthsEndMs : anyDayMs
}

/**
 * At these shares of the whole: one leap in the midst of trouble, past the month's end; and once everything has healed, what waits for an
 * hour, or for a day on a clock that may have been set back by some; the look for silent charge points, which a service that seems to have
 * been away itself puts off once, by an hour and up to five minutes; and the next month.
 */
const leaps: readonly (readonly [share: number, by: (now: number, latest: number) => number])[] = [
  [0.5, () => 70 * minuteMs],
  [0.855, () => 65 * minuteMs],
  [0.865, () => 4.5 * dayMs],
  [0.875, () => hourMs + 6 * minuteMs],
  [0.885, (now, latest) => monthAfter(latest + dayMs) + 2 * dayMs - now],
]

/** Whether the clock of months and weeks, which looks every minute, has a look left after the last leap. */
export function leavesALook(wholeMs: number): boolean {
  const lastShare = Math.max(...leaps.map(([share]) => share))
  return (1 - lastShare) * wholeMs > minuteMs
}

function monthAfter(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

export function planLeaps(
  time: SimulatedTime,
  outside: SimulatedThread,
  wholeMs: number,
  leapt: (ms: number, text: string) => void,
): void {
  for (const [share, by] of leaps) {
    time.after(wholeMs * share, outside, () => {
      const ms = by(time.now(), time.latestWall())
      time.stepWall(ms)
      leapt(ms, `the clock leaps to ${new Date(time.now()).toISOString()}`)
    })
  }
}
