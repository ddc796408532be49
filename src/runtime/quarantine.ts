// When an actor that fails is left alone: three throws in a minute quarantine it for a minute. Knows no actor and no clock.

const throwsBeforeQuarantine = 3
const windowMs = 60_000

export interface ThrowRecord {
  /** Monotonic ms of the throws that count, oldest first. */
  times: readonly number[]
  quarantinedUntil: number
}

export function newThrowRecord(): ThrowRecord {
  return { times: none, quarantinedUntil: 0 }
}

const none: readonly number[] = []

/** Counts a throw at `now` (monotonic ms); true when a quarantine begins with it. */
export function isQuarantinedBy(record: ThrowRecord, now: number): boolean {
  const times = [...record.times.filter((at) => at > now - windowMs), now]
  const begins = times.length >= throwsBeforeQuarantine
  record.times = begins ? none : times
  if (begins) record.quarantinedUntil = now + windowMs
  return begins
}
