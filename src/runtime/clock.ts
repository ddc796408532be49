// The two clocks of the system. Deadlines use the monotonic one, records the wall clock.
// Nothing else calls Date.now or performance.now, so a test or a simulation can own time.

export interface Clock {
  /** Wall time in milliseconds since the Unix epoch; may step when the machine's clock is set. */
  now(): number
  /** Monotonic time in milliseconds, the same scale on every thread of the machine; never steps. */
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Number(process.hrtime.bigint() / 1000n) / 1000,
}
