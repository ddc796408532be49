// Steady time: the clock for everything that waits. It begins at wall time, advances with the monotonic clock, is stored once a minute and
// survives restarts; setting the machine's clock does not move it. The guard compares it with wall time: after a jump ahead, confirmed
// time stays behind until an operator, or an hour without another jump, confirms the new time. The store thread keeps both; all threads read.

import { type Clock, dayMs, hourMs, minuteMs } from './clock.js'

/** The clocks of the service. Each question has one: see the methods. */
export interface ServiceClock extends Clock {
  /** Steady time, ms: for wake-ups, retries, ages and time limits. Never compare it with a time that people read. */
  steady(): number
  /**
   * Wall time as far as it is confirmed, ms: for everything that cannot be undone, such as closing a month, pruning, giving up. It equals
   * wall time, except after a jump ahead.
   */
  confirmed(): number
  /** How far wall time is ahead of confirmed time, ms; 0 unless the clock has jumped ahead. */
  unconfirmed(): number
}

/** The pair that the store keeps, ms. */
export interface StoredTime {
  readonly steady: number
  readonly wall: number
  /** How far confirmed wall time is ahead of steady time; negative where it is behind. */
  readonly ahead: number
}

/** How often the pair is stored, and wall time compared with it. */
export const lookEveryMs = minuteMs
/** Differences up to this are not a jump: clocks are adjusted, and looks come late. */
const toleranceMs = 10 * minuteMs
/** An hour without another jump confirms the time of the clock. */
const agreementMs = hourMs
/** A longer jump needs an operator: rows of more than a week would be at stake. */
const confirmedByItselfMs = 7 * dayMs
/** The machine may have been off: so much of the time between two runs is believed without confirmation. */
const believedStopMs = dayMs

/** Offsets of steady time from monotonic time, and of confirmed time from steady time. */
const cells = { steady: 0, ahead: 1, count: 2 }

/** Shared by all threads of a process. */
export type TimeCells = SharedArrayBuffer

export function serviceClock(clock: Clock, shared: TimeCells): ServiceClock {
  const offsets = new Float64Array(shared)
  const steady = (): number => clock.monotonic() + (offsets[cells.steady] as number)
  const believed = (): number => steady() + (offsets[cells.ahead] as number)
  function unconfirmed(): number {
    const jump = clock.now() - believed()
    return jump > toleranceMs ? jump : 0
  }
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    // Whole milliseconds, as rows and indexes have them.
    steady: () => Math.floor(steady()),
    confirmed: () => (unconfirmed() > 0 ? Math.floor(believed()) : clock.now()),
    unconfirmed,
  }
}

/** A stored steady time as people read it: wall time, by the clock as it is now. */
export function shownTime(steady: number, clock: Pick<ServiceClock, 'now' | 'steady'>): number {
  return clock.now() - (clock.steady() - steady)
}

interface TimeKeeper {
  readonly shared: TimeCells
  /** Compares wall time with steady time, and returns the pair to store. To be called once a minute. */
  look(): StoredTime
  /** An operator says that the clock is right. */
  confirm(): StoredTime
}

/**
 * Goes on from the stored pair. A store without one begins with the steady time that wall time shows; the guard then compares wall time with
 * `newest`, when its newest event was stored (ms).
 */
export function keepTime(clock: Clock, stored: StoredTime | undefined, newest: number | undefined): TimeKeeper {
  const shared = new SharedArrayBuffer(cells.count * Float64Array.BYTES_PER_ELEMENT)
  const offsets = new Float64Array(shared)
  const begun = stored === undefined ? beginning(clock.now(), newest) : goingOn(clock.now(), stored)
  offsets[cells.steady] = begun.steady - clock.monotonic()
  offsets[cells.ahead] = begun.ahead
  const steady = (): number => clock.monotonic() + (offsets[cells.steady] as number)
  const aheadNow = (): number => clock.now() - steady()
  /** Since when (monotonic ms) the clock has not jumped, and what it has been ahead since then. */
  let since = clock.monotonic()
  let last = aheadNow()

  function pair(): StoredTime {
    return { steady: steady(), wall: clock.now(), ahead: offsets[cells.ahead] as number }
  }

  function confirm(): StoredTime {
    offsets[cells.ahead] = aheadNow()
    return pair()
  }

  return {
    shared,
    confirm,
    look() {
      const ahead = aheadNow()
      if (Math.abs(ahead - last) > toleranceMs) since = clock.monotonic()
      last = ahead
      const jump = ahead - (offsets[cells.ahead] as number)
      const isAgreed = clock.monotonic() - since >= agreementMs && jump <= confirmedByItselfMs
      return isAgreed || Math.abs(jump) <= toleranceMs ? confirm() : pair()
    },
  }
}

function beginning(now: number, newest: number | undefined): Pick<StoredTime, 'steady' | 'ahead'> {
  const stopped = newest === undefined ? 0 : Math.max(0, now - newest)
  return { steady: now, ahead: stopped > believedStopMs ? -stopped : 0 }
}

function goingOn(now: number, { steady, wall, ahead }: StoredTime): Pick<StoredTime, 'steady' | 'ahead'> {
  const stopped = now - wall
  // A clock that was set back meanwhile says nothing: the run before may have gone on until its next look.
  if (stopped < 0) return { steady: steady + lookEveryMs, ahead }
  if (stopped <= believedStopMs) return { steady: steady + stopped, ahead }
  // Retries go on as after a day; nothing of the stop is confirmed.
  return { steady: steady + believedStopMs, ahead: ahead - believedStopMs }
}
