// Who may draw how much: a pure function of the budget, the strategy and what each charger can take. A charger gets 0 or at least its
// floor, never something between, and all together never more than there is, in all and on each line.
// While somebody waits for power, nobody has more than the floor: so more power never gives anybody less.

import { type Line, lines, nominalVolts } from './electricity.js'
import { type Capacity, type Filled, fill } from './fill.js'

export type Strategy = 'equal' | 'priority' | 'scheduled'

/** A connector with a car that charges, or wants to. */
export interface Charger {
  readonly id: string
  /** What it could take now, watts. */
  readonly demandWatts: number
  /** The least with which it charges, watts. One whose demand is below has that demand as its floor. */
  readonly floorWatts: number
  /** Limits are multiples of this, watts. */
  readonly stepWatts: number
  /** The lines that it draws from, the same from each; none for one of which nobody knows. */
  readonly lines: readonly Line[]
  /** Its floor is set aside for it, and nobody else's: it never waits. */
  readonly isGuaranteed?: true
  /** Counted at least, watts: a charge point that refuses 0 is paused with a little. */
  readonly pausedWatts?: number
  /** Since when it waits for power, wall ms; absent for one that has some. */
  readonly pausedSince?: number
  /** Since when it has power, wall ms; absent for one that has none. */
  readonly servedSince?: number
}

export interface AllocationInput {
  /** What may be given out: what others are counted at is taken off already. */
  readonly available: Available
  readonly strategy: Strategy
  /** Ids, the highest priority first. Those that are not in it come after all that are. */
  readonly priority: readonly string[]
  readonly chargers: readonly Charger[]
  /** Wall ms, for turns. */
  readonly now: number
}

export interface Available {
  readonly watts: number
  /** Absent where the lines of the site have no limit. */
  readonly amperes?: Readonly<Record<Line, number>>
}

export type Reason =
  /** It has all that it can take. */
  | 'demand'
  /** The budget is shared. */
  | 'share'
  /** A line that it draws from is used up. */
  | 'line'
  /** Those before it in the order take what it could. */
  | 'priority'
  /** Others wait for power. */
  | 'floor'
  /** Its floor is more than its share. */
  | 'minimum'
  | 'paused_budget'
  | 'paused_line'
  /** Its floor is more than all that is shared: no turn of it can come. */
  | 'paused_minimum'

export interface Limit {
  readonly id: string
  /** A multiple of the charger's step. */
  readonly watts: number
  readonly reason: Reason
  /** The line that is used up, where that is the reason. */
  readonly line?: Line
}

/** So long one that has power keeps it while others wait; then it is their turn. */
export const turnMs = 15 * 60_000

/** Sums of watts that are no whole numbers differ by less. */
const hair = 1e-6

interface Ranked {
  readonly charger: Charger
  /** In the order of priority. */
  readonly rank: number
}

interface Candidate extends Ranked {
  readonly floor: number
  readonly cap: number
}

/** The limits of all chargers, in the order in which they were given. */
export function allocatePower(input: AllocationInput): readonly Limit[] {
  const candidates = inOrder(input).map(bounded)
  const { admitted, settled, isShort } = admit(candidates, input.available)
  const left = settled.reduce((sum, { charger }) => lessWatts(sum, charger, charger.pausedWatts ?? 0), input.available)
  const given = giveOut(admitted, isShort, { ...input, available: left })
  const limits = new Map<string, Limit>()
  for (const limit of given) limits.set(limit.id, limit)
  for (const { limit } of settled) limits.set(limit.id, limit)
  return input.chargers.map(({ id }) => limits.get(id) as Limit)
}

/** The same multiple or the next below: a limit is never more than what was computed. */
function roundedDown(watts: number, { stepWatts }: Charger): number {
  return Math.floor(watts / stepWatts + hair) * stepWatts
}

function roundedUp(watts: number, { stepWatts }: Charger): number {
  return Math.ceil(watts / stepWatts - hair) * stepWatts
}

function bounded({ charger, rank }: Ranked): Candidate {
  const cap = roundedUp(charger.demandWatts, charger)
  return { charger, rank, cap, floor: Math.min(cap, roundedUp(charger.floorWatts, charger)) }
}

/** Who comes first when not all floors fit. */
function inOrder({ chargers, strategy, priority, now }: AllocationInput): readonly Ranked[] {
  const ranks = new Map(strategy === 'priority' ? priority.map((id, rank) => [id, rank]) : [])
  const places = chargers.map((charger) => ({
    charger,
    guaranteed: charger.isGuaranteed === true ? 0 : 1,
    rank: ranks.get(charger.id) ?? priority.length,
    turn: turnOf(charger, now),
    since: charger.servedSince ?? charger.pausedSince ?? now,
  }))
  places.sort(
    (one, other) =>
      one.guaranteed - other.guaranteed ||
      one.rank - other.rank ||
      one.turn - other.turn ||
      one.since - other.since ||
      compareIds(one.charger.id, other.charger.id),
  )
  return places
}

/** Those in the middle of their turn, then those that wait, the longest first, then those whose turn is over. */
function turnOf({ servedSince }: Charger, now: number): number {
  if (servedSince === undefined) return 1
  return now - servedSince < turnMs ? 0 : 2
}

function compareIds(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

interface Admission {
  readonly admitted: readonly Candidate[]
  /** Chargers that wait, or that take no more than they are counted with anyway. */
  readonly settled: readonly { readonly charger: Charger; readonly limit: Limit }[]
  /** Somebody waits because the budget does not hold all floors. */
  readonly isShort: boolean
}

/**
 * The floors, in order. If the budget does not hold the next, it and all after it wait: smaller ones behind it would otherwise have to give
 * back their power when the budget grows. A charger whose line is used up keeps nobody waiting, nor does one that the budget alone cannot hold.
 */
function admit(candidates: readonly Candidate[], available: Available): Admission {
  const left = remainderOf(available)
  for (const { charger } of candidates) take(charger, charger.pausedWatts ?? 0, left)
  const most = left.watts
  const admitted: Candidate[] = []
  const settled: { readonly charger: Charger; readonly limit: Limit }[] = []
  const pause = (charger: Charger, reason: Reason, line?: Line): void => {
    settled.push({ charger, limit: limit(charger, 0, reason, line) })
  }
  let isShort = false
  for (const { charger, rank, floor, cap } of candidates) {
    const { pausedWatts = 0 } = charger
    if (cap <= pausedWatts) {
      settled.push({ charger, limit: limit(charger, cap, 'demand') })
      continue
    }
    if (floor <= 0) {
      pause(charger, 'demand')
      continue
    }
    const more = floor - pausedWatts
    // If it waited at its place in the order, the cars behind it would wait for ever.
    if (more > most + hair) {
      pause(charger, 'paused_minimum')
      continue
    }
    const line: Line | undefined = isShort ? undefined : fullLine(charger, more, left)
    isShort ||= line === undefined && more > left.watts + hair
    if (isShort) pause(charger, 'paused_budget')
    else if (line !== undefined) pause(charger, 'paused_line', line)
    else {
      take(charger, more, left)
      admitted.push({ charger, rank, floor, cap })
    }
  }
  return { admitted, settled, isShort }
}

function lessWatts({ watts, amperes }: Available, charger: Charger, taken: number): Available {
  if (amperes === undefined) return { watts: watts - taken }
  const on = (line: Line): number => amperes[line] - (taken * partOn(line, charger)) / nominalVolts
  return { watts: watts - taken, amperes: { L1: on('L1'), L2: on('L2'), L3: on('L3') } }
}

interface Remainder {
  watts: number
  readonly lineWatts: Map<Line, number>
}

function remainderOf({ watts, amperes }: Available): Remainder {
  const lineWatts = new Map(amperes === undefined ? [] : lines.map((line) => [line, amperes[line] * nominalVolts]))
  return { watts, lineWatts }
}

/** The first line of a charger that does not hold so many watts of it more. */
function fullLine(charger: Charger, watts: number, { lineWatts }: Remainder): Line | undefined {
  const { lines } = charger
  return lines.find((line) => watts / lines.length > (lineWatts.get(line) ?? Number.POSITIVE_INFINITY) + hair)
}

function take({ lines }: Charger, watts: number, left: Remainder): void {
  left.watts -= watts
  for (const line of lines) {
    const before = left.lineWatts.get(line)
    if (before !== undefined) left.lineWatts.set(line, before - watts / lines.length)
  }
}

function giveOut(admitted: readonly Candidate[], isShort: boolean, input: AllocationInput): readonly Limit[] {
  if (isShort) return admitted.map(({ charger, floor, cap }) => limit(charger, floor, floor < cap ? 'floor' : 'demand'))
  return input.strategy === 'priority' ? giveInOrder(admitted, input.available) : giveEvenly(admitted, input.available)
}

function limit({ id }: Charger, watts: number, reason: Reason, line?: Line): Limit {
  return line === undefined ? { id, watts, reason } : { id, watts, reason, line }
}

function giveEvenly(admitted: readonly Candidate[], available: Available): readonly Limit[] {
  const capacities: Capacity[] = [{ watts: available.watts, parts: new Float64Array(admitted.length).fill(1) }]
  const { amperes } = available
  if (amperes !== undefined)
    for (const line of lines)
      capacities.push({
        watts: amperes[line] * nominalVolts,
        parts: Float64Array.from(admitted, ({ charger }) => partOn(line, charger)),
      })
  const filled = fill(admitted, capacities)
  const level = Math.min(...filled.watts.filter((_, index) => filled.stoppedBy[index] === 0))
  return admitted.map((charger, index) => limitOf(charger, filled, index, level))
}

function partOn(line: Line, { lines }: Charger): number {
  return lines.includes(line) ? 1 / lines.length : 0
}

/** `level`: the share of each, watts. */
function limitOf({ charger, floor }: Candidate, { watts, stoppedBy }: Filled, index: number, level: number): Limit {
  // A floor is a multiple of the step already: what is computed is never below it.
  const most = Math.max(floor, roundedDown(watts[index] as number, charger))
  const stop = stoppedBy[index]
  if (stop === undefined) return limit(charger, most, 'demand')
  if (stop !== 0) return limit(charger, most, 'line', lines[stop - 1])
  return limit(charger, most, (watts[index] as number) > level + hair ? 'minimum' : 'share')
}

/** All have their floors; the rest goes to the first, then to the next. */
function giveInOrder(admitted: readonly Candidate[], available: Available): readonly Limit[] {
  const left = remainderOf(available)
  for (const { charger, floor } of admitted) take(charger, floor, left)
  const byRank = [...admitted].sort((one, other) => one.rank - other.rank)
  return byRank.map(({ charger, floor, cap }) => {
    const most = mostOf(charger, left)
    const more = Math.min(cap - floor, roundedDown(Math.max(0, most.watts), charger))
    take(charger, more, left)
    if (floor + more >= cap) return limit(charger, cap, 'demand')
    return limit(charger, floor + more, most.line === undefined ? 'priority' : 'line', most.line)
  })
}

/** What is left for a charger, and the line that holds it back where one does. */
function mostOf({ lines }: Charger, { watts, lineWatts }: Remainder): { readonly watts: number; readonly line?: Line } {
  let most: { readonly watts: number; readonly line?: Line } = { watts }
  for (const line of lines) {
    const ofLine = (lineWatts.get(line) ?? Number.POSITIVE_INFINITY) * lines.length
    if (ofLine < most.watts) most = { watts: ofLine, line }
  }
  return most
}
