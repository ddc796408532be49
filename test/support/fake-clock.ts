// A clock that stands still until a test moves it.

import type { Clock } from '../../src/runtime/clock.js'

export interface FakeClock extends Clock {
  advance(ms: number): void
  /** The wall clock alone, as somebody sets it. */
  set(now: number): void
}

/** Starts at 2026-11-01T00:00:00Z, monotonic 1,000. */
export function createFakeClock(): FakeClock {
  let monotonic = 1_000
  let now = Date.UTC(2026, 10, 1)
  return {
    now: () => now,
    monotonic: () => monotonic,
    advance(ms) {
      monotonic += ms
      now += ms
    },
    set(to) {
      now = to
    },
  }
}
