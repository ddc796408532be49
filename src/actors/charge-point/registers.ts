// What a session has taken, as its register tells it reading by reading: over roll-overs, resets, glitches and registers that are
// rounded. Pure; it knows no units but Wh and ms, and never lets the energy fall.

import type { Register, RegisterSegment } from '../../records/session.js'
import { assert } from '../../runtime/assert.js'

const registerFlags = {
  'rolled-over': 'meter_rolled_over',
  reset: 'meter_reset',
  'per-session': 'meter_counts_per_session',
} as const satisfies Record<Exclude<RegisterSegment['by'], 'start'>, string>

/** All that `flagsOfRegister` may say. */
export const flagsOfRegisters: readonly string[] = Object.values(registerFlags)

export interface Reading {
  /** ms. */
  readonly at: number
  readonly wh: number
}

/** The most that the connector can have given between two instants (ms), Wh. */
export type MostBetween = (from: number, to: number) => number

/** What one vehicle may take between two readings where the connector's power is registered wrongly. */
const vehicleWh = 100_000
/** A power that no connector exceeds, watts; a reading beyond it is a glitch until it is confirmed. */
const highestWatts = 1_000_000
const doubtSlackWh = 10_000
/** Registers that are told in kWh are rounded by less than this. */
const roundingWh = 1_000
const segmentsKept = 16
const hourMs = 3_600_000

export function registerAt(meterStart: number): Register {
  return { segments: [{ by: 'start', base: meterStart, highest: meterStart }], taken: 0 }
}

/** What is odd about the readings so far. */
export function flagsOfRegister({ segments }: Register): readonly string[] {
  const flags = segments.flatMap(({ by }) => (by === 'start' ? [] : [registerFlags[by]]))
  return [...new Set(flags)]
}

/**
 * One reading more. `since` is when the reading before was taken, or the session began. A last one is the charge point's final
 * word: it needs no confirmation.
 */
export function readRegister(
  register: Register,
  { at, wh }: Reading,
  since: number,
  mostBetween: MostBetween,
  isLast = false,
): Register {
  const after = withReading(register, { at, wh }, since, mostBetween, isLast)
  const least = isLast ? Math.min(0, register.taken) : register.taken
  assert(after.taken >= least, 'what a session has taken does not fall, and is not below 0', after.taken, least)
  assert(after.segments.length <= segmentsKept, 'a register has a bounded number of segments', after.segments.length)
  return after
}

function withReading(
  register: Register,
  { at, wh }: Reading,
  since: number,
  mostBetween: MostBetween,
  isLast: boolean,
): Register {
  const most = mostBetween(Math.min(since, at), at)
  const present = presentOf(register)
  if (wh < present.highest) return { ...fallen(register, wh, most, isLast), at }
  const rise = wh - present.highest
  const index = resumable(register, wh, rise > most && rise * 2 > wh) ?? register.segments.length - 1
  const confirmed = register.doubtful !== undefined && wh >= register.doubtful
  const credible = (Math.max(0, at - since) / hourMs) * highestWatts + doubtSlackWh
  if (!isLast && !confirmed && wh - (register.segments[index] as RegisterSegment).highest > credible) {
    const { doubtful: _, ...rest } = register
    return { ...rest, doubtful: wh, at }
  }
  return { ...goneOn(register, index, wh), at }
}

/** A reading that is known to go on from the present segment. */
export function goneOnTo(register: Register, { at, wh }: Reading): Register {
  return { ...goneOn(register, register.segments.length - 1, wh), at }
}

function presentOf({ segments }: Register): RegisterSegment {
  return segments[segments.length - 1] as RegisterSegment
}

/** The segments up to the one that the reading goes on from. */
function goneOn({ segments, taken, inlet }: Register, index: number, wh: number): Register {
  const segment = segments[index] as RegisterSegment
  const kept = [...segments.slice(0, index), { ...segment, highest: wh }]
  return {
    segments: kept as unknown as Register['segments'],
    taken: Math.max(taken, wh - segment.base),
    ...(inlet === true && { inlet }),
  }
}

/**
 * An earlier segment that the reading goes on from: what came after it was a glitch, or another counter. Of the explanations that
 * take nothing back, the one with the least energy holds.
 */
function resumable({ segments, taken }: Register, wh: number, tooSteep: boolean): number | undefined {
  const present = segments.length - 1
  let least = tooSteep ? Number.POSITIVE_INFINITY : wh - (segments[present] as RegisterSegment).base
  let found: number | undefined
  for (let index = 0; index < present; index++) {
    const { base, highest } = segments[index] as RegisterSegment
    const energy = wh - base
    if (wh < highest || energy >= least || (energy < taken && !tooSteep)) continue
    least = energy
    found = index
  }
  return found
}

function fallen(register: Register, wh: number, most: number, isLast: boolean): Register {
  const { doubtful: _, ...believed } = register
  const { taken } = register
  const { by, base, highest } = presentOf(register)
  const over = rolledOver(highest, wh, most)
  if (over !== undefined) return begun(believed, { by: 'rolled-over', base: base - over, highest: wh })
  const fall = highest - wh
  const isFirst = by === 'start' && highest === base
  if (isLast && fall < coarseness(highest) && !isFirst) return { ...believed, taken: Math.max(0, wh - base) }
  if (fall < roundingWh && (wh * 2 > highest || wh === 0)) {
    // At the end there is no reading to come that could make up for it.
    return isLast && !isFirst ? begun(believed, { by: 'reset', base: wh - taken, highest: wh }) : believed
  }
  // One that was reset has begun at 0, and shows what was taken since then, as far as the connector can have given that.
  const fromZero = wh >= 0 && wh <= most && wh * 2 <= highest
  if (isFirst && fromZero && wh > 0) return begun(believed, { by: 'per-session', base: 0, highest: wh })
  if (isFirst && isLast) return believed
  return begun(believed, { by: 'reset', base: fromZero ? -taken : wh - taken, highest: wh })
}

function begun(register: Register, segment: RegisterSegment): Register {
  const [first, ...later] = register.segments
  const kept = later.slice(Math.max(0, later.length + 2 - segmentsKept))
  return {
    ...register,
    segments: [first, ...kept, segment],
    taken: Math.max(register.taken, segment.highest - segment.base),
  }
}

/** The power of ten, up to that of a kWh, that a reading is a multiple of: what it may be rounded by. */
function coarseness(wh: number): number {
  for (const step of [1_000, 100, 10]) if (wh % step === 0) return step
  return 1
}

/** Whether a reading goes on behind the register's end. */
export function rollsOver(register: Register, wh: number, most: number): boolean {
  return rolledOver(presentOf(register).highest, wh, most) !== undefined
}

const wordWh = 2 ** 32
const signedWordWh = 2 ** 31

/**
 * By how much a register that has come to its end begins anew; undefined for any other fall. Registers end at a power of ten
 * (also where they count kWh), at 2^31 or at 2^32; a signed one may go on from below 0. The end has to be just above the last
 * reading: within a hundredth of itself, and no further than a vehicle or the connector can have brought it.
 */
function rolledOver(highest: number, wh: number, most: number): number | undefined {
  const reachable = Math.max(most, vehicleWh)
  for (const end of [nextPowerOfTen(highest), signedWordWh, wordWh]) {
    const period = wh < 0 ? wordWh : end
    if (end === undefined || period === undefined || highest >= end) continue
    if (wh < 0 && (end !== signedWordWh || wh < -signedWordWh)) continue
    const step = wh + period - highest
    if (step > 0 && step <= Math.min(end / 100, reachable)) return period
  }
  return undefined
}

function nextPowerOfTen(above: number): number | undefined {
  if (above <= 0) return undefined
  let power = 10
  while (power <= above && power < Number.MAX_SAFE_INTEGER) power *= 10
  return power
}
