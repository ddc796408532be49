// When what fails is left alone: three throws in a minute quarantine an actor for a minute, or the part of it that they concern. Knows
// no actor and no clock.

const throwsBeforeQuarantine = 3
const windowMs = 60_000
/** So many parts may fail before those are looked for that can be forgotten. */
const partsKept = 64

/** All of an actor, for those that have no parts. */
export const wholeActor = ''

interface ThrowRecord {
  /** Monotonic ms of the throws that count, oldest first. */
  readonly times: readonly number[]
  readonly quarantinedUntil: number
}

/** The throws of one actor, by the part that they concern. Most actors never have any. */
export interface Throws {
  /** Counts a throw at `now` (monotonic ms); true when a quarantine of this part begins with it. */
  note(part: string, now: number): boolean
  quarantine(part: string, until: number): void
  /** Until when a part is left alone, monotonic ms; a quarantine of the whole actor is one of each part. */
  quarantinedUntil(part: string): number
  /** Whether anything is left alone after `time`. */
  anyAfter(time: number): boolean
}

export function createThrows(): Throws {
  const records = new Map<string, ThrowRecord>()
  let latest = 0

  function set(part: string, record: ThrowRecord, now: number): void {
    records.set(part, record)
    latest = Math.max(latest, record.quarantinedUntil)
    if (records.size <= partsKept) return
    for (const [one, { times, quarantinedUntil }] of records)
      if (quarantinedUntil <= now && times.every((at) => at <= now - windowMs)) records.delete(one)
  }

  const untilOf = (part: string): number => records.get(part)?.quarantinedUntil ?? 0

  return {
    note(part, now) {
      const times = [...(records.get(part)?.times ?? []).filter((at) => at > now - windowMs), now]
      const begins = times.length >= throwsBeforeQuarantine
      if (begins) set(part, { times: [], quarantinedUntil: now + windowMs }, now)
      else set(part, { times, quarantinedUntil: untilOf(part) }, now)
      return begins
    },
    quarantine: (part, until) => set(part, { times: [], quarantinedUntil: until }, 0),
    quarantinedUntil: (part) => Math.max(untilOf(part), untilOf(wholeActor)),
    anyAfter: (time) => latest > time,
  }
}
