// Which months of an organization are to be invoiced: pure functions of time zone and time. Months follow each other without a gap and
// without an overlap, also where the time zone of the organization was changed between them.

import { DateTime, IANAZone } from 'luxon'
import { defaultTimeZone } from '../../records/organization.js'

export interface Period {
  /** `2026-10`. */
  readonly month: string
  /** ms, inclusive. */
  readonly from: number
  /** ms, exclusive. */
  readonly to: number
}

export interface Closed {
  readonly through: string
  /** ms. */
  readonly until: number
}

/**
 * How long after its end a month is closed: a session that ended in its last minute is told a little later, and one that the
 * charge point never ends is closed by estimate after some minutes. What comes later still is on the next invoice.
 */
export const settlingMs = 3_600_000

export function zoneOf(timeZone: string): string {
  return IANAZone.isValidZone(timeZone) ? timeZone : defaultTimeZone
}

function startOfMonth(month: string, timeZone: string): DateTime {
  return DateTime.fromISO(`${month}-01T00:00:00`, { zone: zoneOf(timeZone) })
}

function monthAfter(month: string): string {
  return startOfMonth(month, 'UTC').plus({ months: 1 }).toFormat('yyyy-MM')
}

function periodFrom(month: string, from: number, timeZone: string): Period {
  return { month, from, to: startOfMonth(monthAfter(month), timeZone).toMillis() }
}

/** The month in which an instant (ms) lies. */
export function periodAround(at: number, timeZone: string): Period {
  const month = DateTime.fromMillis(at, { zone: zoneOf(timeZone) }).toFormat('yyyy-MM')
  return periodFrom(month, startOfMonth(month, timeZone).toMillis(), timeZone)
}

/** The month after the closed ones: it begins where they end. */
export function periodAfter(closed: Closed, timeZone: string): Period {
  return periodFrom(monthAfter(closed.through), closed.until, timeZone)
}

export function isDue(period: Period, now: number): boolean {
  return now >= period.to + settlingMs
}

/** The next month to close: the one after `closed`, or that of the first unbilled session; undefined while it is not over. */
export function duePeriod(
  closed: Closed | undefined,
  firstEnd: number | undefined,
  timeZone: string,
  now: number,
): Period | undefined {
  if (closed === undefined && firstEnd === undefined) return undefined
  const period = closed === undefined ? periodAround(firstEnd as number, timeZone) : periodAfter(closed, timeZone)
  return isDue(period, now) ? period : undefined
}
