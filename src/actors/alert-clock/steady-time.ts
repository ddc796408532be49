// For how long the machine's clock has run on without a jump ahead. What was noted before a jump seems to have lasted for longer
// than it did: it is given its time anew. A clock that is set back needs nothing of this: what was noted is ahead of it then.

const jumpMs = 60_000

export interface SteadyTimeOptions {
  /** Wall time, ms. */
  readonly now: () => number
  /** How long this run of the service lasts already, ms. */
  readonly uptime: () => number
  readonly startedAt?: number
}

export interface SteadyTime {
  /** Compares the clocks; to be called at each look. */
  look(): void
  /** Ms since the last jump, Infinity if there was none in this run. */
  lasts(): number
}

export function createSteadyTime({ now, uptime, startedAt }: SteadyTimeOptions): SteadyTime {
  /** The start of this run, by the wall clock as it is now. */
  let start = startedAt
  let jumpedAt = Number.NEGATIVE_INFINITY
  return {
    look() {
      const before = start
      start = now() - uptime()
      if (before !== undefined && start - before > jumpMs) jumpedAt = uptime()
    },
    lasts: () => uptime() - jumpedAt,
  }
}
