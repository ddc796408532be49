// What a site may draw, and when: its configuration, its schedule on the wall clock of its time zone, and what its energy assets give.

import { dayOfWeekOf, localTimeOf } from '../pricing/local-time.js'
import type { DayOfWeek } from '../pricing/tariff-terms.js'
import type { Strategy } from './allocate-power.js'

/** From the minute `start` to before the minute `end` of the day; where that is not later, to that of the next day. */
export interface ScheduledBudget {
  /** The days on which it begins; absent for every day. */
  readonly days?: readonly DayOfWeek[]
  readonly startMinute: number
  readonly endMinute: number
  readonly watts: number
}

export interface BudgetTerms {
  readonly strategy: Strategy
  /** Where no entry of the schedule holds. */
  readonly watts: number
  /** What the grid connection holds. */
  readonly gridWatts: number
  /** What batteries, generators, sun and wind give besides. */
  readonly assetWatts: number
  readonly schedule: readonly ScheduledBudget[]
  readonly timeZone: string
}

const minuteMs = 60_000
const minutesOfDay = 1_440

/** Of entries that hold at the same time, the one with the least power counts. */
export function budgetAt(terms: BudgetTerms, at: number): number {
  return total(terms, Math.min(...scheduledAt(terms, at)))
}

function total({ gridWatts, assetWatts }: BudgetTerms, fromGrid: number): number {
  return Math.max(0, Math.min(fromGrid, gridWatts)) + Math.max(0, assetWatts)
}

function scheduledAt(terms: BudgetTerms, at: number): readonly number[] {
  if (terms.strategy !== 'scheduled') return [terms.watts]
  const { day, minuteOfDay } = localTimeOf(at, terms.timeZone)
  const holding = terms.schedule.filter((entry) => holds(entry, day, minuteOfDay))
  return holding.length === 0 ? [terms.watts] : holding.map(({ watts }) => watts)
}

function holds({ days, startMinute, endMinute }: ScheduledBudget, day: number, minute: number): boolean {
  const begunOn = (begin: number): boolean => days === undefined || days.includes(dayOfWeekOf(begin))
  if (startMinute < endMinute) return begunOn(day) && minute >= startMinute && minute < endMinute
  return (begunOn(day) && minute >= startMinute) || (begunOn(day - 1) && minute < endMinute)
}

/** The least of every instant, whatever the time is: what may be promised to whoever cannot be reached. */
export function leastBudget(terms: BudgetTerms): number {
  if (terms.strategy !== 'scheduled') return total(terms, terms.watts)
  return total(terms, Math.min(...leastScheduled(terms)))
}

function leastScheduled({ schedule, watts }: BudgetTerms): readonly number[] {
  return [...schedule.map((entry) => entry.watts), ...(coversAlways(schedule) ? [] : [watts])]
}

function coversAlways(schedule: readonly ScheduledBudget[]): boolean {
  return schedule.some(
    ({ days, startMinute, endMinute }) => days === undefined && startMinute === endMinute % minutesOfDay,
  )
}

/** The least budget of a while that begins now: who is to draw less later has been told before then. */
export function leastWithin(terms: BudgetTerms, from: number, forMs: number): number {
  return Math.min(...minutesFrom(terms, from, forMs).map((at) => budgetAt(terms, at)))
}

/** When the budget falls next within a while; undefined where it does not. */
export function nextFall(terms: BudgetTerms, from: number, forMs: number): number | undefined {
  const now = budgetAt(terms, from)
  return minutesFrom(terms, from, forMs).find((at) => budgetAt(terms, at) < now)
}

/** Schedules change with the minute alone, and so do the offsets of time zones. */
function minutesFrom({ strategy }: BudgetTerms, from: number, forMs: number): readonly number[] {
  if (strategy !== 'scheduled') return [from]
  const next = Math.floor(from / minuteMs) + 1
  const last = Math.floor((from + forMs) / minuteMs)
  return [from, ...Array.from({ length: Math.max(0, last - next + 1) }, (_, index) => (next + index) * minuteMs)]
}
