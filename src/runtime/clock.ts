// The two clocks of the machine. Deadlines in memory use the monotonic one, records the wall clock; steady-time.ts makes the third of them.
// Nothing else calls Date.now or performance.now, so a test or a simulation can own time.

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export interface Clock {
  /** Wall time in milliseconds since the Unix epoch; may step when the machine's clock is set. */
  now(): number
  /** Monotonic time in milliseconds, the same scale on every thread of the machine; never steps. */
  monotonic(): number
}

// performance.now() counts from each thread's own start; the kernel's clock under it is one, so the offset makes one scale.
const threadStartMs = Number(process.hrtime.bigint()) / 1e6 - performance.now()

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now() + threadStartMs,
}
