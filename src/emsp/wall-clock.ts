// The wall clock of a location, by which the restrictions of a tariff hold (OCPI 2.2.1, 11.4.6).

import { IANAZone } from 'luxon'

const minuteMs = 60_000
const dayMs = 86_400_000

export interface WallClock {
  /** "YYYY-MM-DD". */
  readonly date: string
  /** 0 is Monday. */
  readonly weekday: number
  readonly minuteOfDay: number
}

function offsetMs(at: number, timeZone: string): number {
  return IANAZone.create(timeZone).offset(at) * minuteMs
}

/** `at` in ms. */
export function wallClockAt(at: number, timeZone: string): WallClock {
  const local = at + offsetMs(at, timeZone)
  const day = Math.floor(local / dayMs)
  return {
    date: new Date(day * dayMs).toISOString().slice(0, 10),
    // 1970-01-01 was a Thursday.
    weekday: (((day + 3) % 7) + 7) % 7,
    minuteOfDay: Math.floor((local - day * dayMs) / minuteMs),
  }
}

/** The next instant (ms) at which the clock shows one of `minutes` (of the day, in order), or is put forward or back before that. */
export function nextShown(at: number, minutes: readonly number[], timeZone: string): number {
  const offset = offsetMs(at, timeZone)
  const local = at + offset
  const day = Math.floor(local / dayMs) * dayMs
  const shown = [...minutes, dayMs / minuteMs + (minutes[0] ?? 0)].map((minute) => day + minute * minuteMs)
  const next = (shown.find((candidate) => candidate > local) as number) - offset
  if (offsetMs(next, timeZone) === offset) return next
  let [before, after] = [at, next]
  while (after - before > 1) {
    const between = Math.floor((before + after) / 2)
    if (offsetMs(between, timeZone) === offset) before = between
    else after = between
  }
  return after
}
