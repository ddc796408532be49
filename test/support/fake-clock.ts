// A clock that stands still until a test moves it. Its steady and confirmed time are those of the service over it.

import type { Clock } from '../../src/runtime/clock.js'
import { keepTime, type ServiceClock, serviceClock } from '../../src/runtime/steady-time.js'

export interface FakeClock extends ServiceClock {
  advance(ms: number): void
  /** The wall clock alone, as somebody sets it. */
  set(now: number): void
  /** As the store thread does once a minute. */
  look(): void
  /** As an operator does. */
  confirm(): void
}

/** Starts at 2026-11-01T00:00:00Z, monotonic 1,000. */
export function createFakeClock(): FakeClock {
  let monotonic = 1_000
  let now = Date.UTC(2026, 10, 1)
  const machine = { now: () => now, monotonic: () => monotonic }
  const keeper = keepTime(machine, undefined, undefined)
  return {
    ...serviceClock(machine, keeper.shared),
    advance(ms) {
      monotonic += ms
      now += ms
    },
    set(to) {
      now = to
    },
    look: () => void keeper.look(),
    confirm: () => void keeper.confirm(),
  }
}

/** For tests in which nobody sets the clock: steady and confirmed time are wall time. */
export function neverSet({ now, monotonic }: Clock): ServiceClock {
  return { now, monotonic, steady: now, confirmed: now, unconfirmed: () => 0 }
}
