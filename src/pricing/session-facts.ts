// What pricing has to know of a session, and what it measures from that: energy, duration and idle time.
// No facts make it throw: values that cannot be are left out or bounded, and `notes` says so.

import { assert } from '../runtime/assert.js'
import { limits } from './limits.js'
import { boundedInstant } from './local-time.js'

export interface RegisterSample {
  /** ms. */
  readonly at: number
  readonly registerWh: number
}

/**
 * charging: the charge point delivers, or nothing is known. suspended-ev: the vehicle has not charged yet. suspended-evse: the
 * charge point holds the power back, for which nobody pays idle time. idle: the vehicle has charged, and takes nothing.
 */
export type SpanState = 'charging' | 'suspended-ev' | 'suspended-evse' | 'idle'

export interface StatusSpan {
  readonly state: SpanState
  /** ms. */
  readonly from: number
  /** ms; absent for the span that lasts. */
  readonly to?: number
}

export interface EarlierTimes {
  /** ms. */
  readonly until: number
  readonly idleMs: number
  readonly suspendedByVehicleMs: number
  readonly suspendedByChargePointMs: number
}

export interface SessionFacts {
  readonly sessionId: string
  /** ms. */
  readonly startedAt: number
  /** ms; absent while the session runs, which is then priced as of `asOf`. */
  readonly endedAt?: number
  readonly asOf?: number
  /** The session's own energy in Wh, cleared of the registers' quirks: it wins over the samples. */
  readonly energyWh?: number
  /** Ordered by time. */
  readonly samples: readonly RegisterSample[]
  readonly spans: readonly StatusSpan[]
  /** What the spans before these came to, where they are too many to be kept. */
  readonly earlier?: EarlierTimes
  readonly stopReason?: string
  readonly idTag: string
  readonly connectorId: number
  readonly chargePointId: string
  readonly siteId?: string
  readonly authMethod?: string
}

export interface MeasuredEnergy {
  readonly source: 'session' | 'samples' | 'none'
  /** mWh: a whole number, so that rounding up to a step is exact. */
  readonly milliwattHours: number
  readonly samples: number
  readonly first_sample: RegisterSample | null
  readonly last_sample: RegisterSample | null
}

export interface MeasuredSession {
  readonly startedAt: number
  readonly endedAt: number
  readonly durationMs: number
  readonly idleMs: number
  /** Clipped to the session, in order, not overlapping. */
  readonly idleSpans: readonly { readonly from: number; readonly to: number }[]
  readonly suspendedByVehicleMs: number
  readonly suspendedByChargePointMs: number
  readonly energy: MeasuredEnergy
  readonly notes: readonly string[]
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function measureEnergy(facts: SessionFacts, notes: string[]): MeasuredEnergy {
  let first: RegisterSample | null = null
  let last: RegisterSample | null = null
  let samples = 0
  for (const sample of facts.samples) {
    if (!isNumber(sample.registerWh)) continue
    samples++
    first ??= sample
    last = sample
  }
  const own = isNumber(facts.energyWh) ? facts.energyWh : undefined
  const wattHours = own ?? (first === null || last === null ? 0 : last.registerWh - first.registerWh)
  const source = own !== undefined ? 'session' : first !== null ? 'samples' : 'none'
  if (source === 'none') notes.push('no meter value: no energy is priced')
  if (wattHours < 0) notes.push('negative energy is priced as 0')
  if (wattHours > limits.pricedEnergyWh) notes.push(`energy is priced up to ${limits.pricedEnergyWh} Wh`)
  const bounded = Math.max(0, Math.min(limits.pricedEnergyWh, wattHours))
  return { source, milliwattHours: Math.round(bounded * 1000), samples, first_sample: first, last_sample: last }
}

/** The union of the spans of one state within the session. */
function spansOf(spans: readonly StatusSpan[], state: SpanState, start: number, end: number) {
  const clipped: { from: number; to: number }[] = []
  for (const span of spans) {
    if (span.state !== state || !isNumber(span.from)) continue
    const from = Math.max(start, Math.trunc(span.from))
    const to = Math.min(end, isNumber(span.to) ? Math.trunc(span.to) : end)
    if (to > from) clipped.push({ from, to })
  }
  clipped.sort((a, b) => a.from - b.from)
  const union: { from: number; to: number }[] = []
  for (const span of clipped) {
    const before = union.at(-1)
    if (before !== undefined && span.from <= before.to) before.to = Math.max(before.to, span.to)
    else union.push(span)
  }
  return union
}

/** Of spans that follow each other: where two overlap, time would be billed twice. */
function lengthOf(spans: readonly { readonly from: number; readonly to: number }[]): number {
  let length = 0
  let end = Number.NEGATIVE_INFINITY
  for (const { from, to } of spans) {
    assert(from > end && to > from, 'spans follow each other and do not overlap', end, from)
    length += to - from
    end = to
  }
  return length
}

/** A stop that is told late may be of before they ended. */
function earlierWithin(earlier: EarlierTimes | undefined, durationMs: number): EarlierTimes {
  const within = (ms: number | undefined): number => (isNumber(ms) ? Math.max(0, Math.min(durationMs, ms)) : 0)
  return {
    until: earlier?.until ?? 0,
    idleMs: within(earlier?.idleMs),
    suspendedByVehicleMs: within(earlier?.suspendedByVehicleMs),
    suspendedByChargePointMs: within(earlier?.suspendedByChargePointMs),
  }
}

export function measureSession(facts: SessionFacts): MeasuredSession {
  const notes: string[] = []
  const startedAt = boundedInstant(facts.startedAt)
  const end = isNumber(facts.endedAt) ? facts.endedAt : isNumber(facts.asOf) ? facts.asOf : startedAt
  if (end < startedAt) notes.push('the end is before the start: no time is priced')
  if (end - startedAt > limits.pricedSeconds * 1000) notes.push(`time is priced up to ${limits.pricedSeconds} s`)
  const endedAt = boundedInstant(Math.max(startedAt, Math.min(end, startedAt + limits.pricedSeconds * 1000)))
  const idleSpans = spansOf(facts.spans, 'idle', startedAt, endedAt)
  const earlier = earlierWithin(facts.earlier, endedAt - startedAt)
  if (earlier.idleMs > 0)
    notes.push(
      `${earlier.idleMs / 1000} s of idle time before ${new Date(boundedInstant(earlier.until)).toISOString()} are summed up`,
    )
  return {
    startedAt,
    endedAt,
    durationMs: endedAt - startedAt,
    idleMs: Math.min(endedAt - startedAt, earlier.idleMs + lengthOf(idleSpans)),
    idleSpans,
    suspendedByVehicleMs:
      earlier.suspendedByVehicleMs + lengthOf(spansOf(facts.spans, 'suspended-ev', startedAt, endedAt)),
    suspendedByChargePointMs:
      earlier.suspendedByChargePointMs + lengthOf(spansOf(facts.spans, 'suspended-evse', startedAt, endedAt)),
    energy: measureEnergy(facts, notes),
    notes,
  }
}
