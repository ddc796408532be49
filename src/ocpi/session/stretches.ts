// A session as stretches of charging and of parking that follow each other. Parked is what pricing takes for idle time: the vehicle has
// charged, and takes nothing. Every ms of the session is in one of them, and they are as long as what is billed of each.

import { roundedUp } from '../../pricing/billed-quantities.js'
import type { MeasuredSession } from '../../pricing/session-facts.js'

export interface Stretch {
  /** ms. */
  readonly from: number
  readonly to: number
  readonly isParked: boolean
}

interface Span {
  readonly from: number
  readonly to: number
}

const lengthOf = ({ from, to }: Span): number => to - from

export function lengthOfAll(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + lengthOf(span), 0)
}

/** What the spans, in order, leave of a time. */
function gapsOf(spans: readonly Span[], from: number, to: number): Span[] {
  const edges = [...spans, { from: to, to }]
  return edges
    .map((span, index) => ({ from: edges[index - 1]?.to ?? from, to: span.from }))
    .filter((gap) => lengthOf(gap) > 0)
}

/** The spans with so much more, taken from the ends of `gaps` in their order. */
function withMore(spans: readonly Span[], more: number, gaps: readonly Span[]): Span[] {
  let missing = more
  const added = gaps.map(({ from, to }) => {
    const length = Math.min(missing, to - from)
    missing -= length
    return { from: to - length, to }
  })
  return [...spans, ...added].filter((span) => lengthOf(span) > 0).sort((a, b) => a.from - b.from)
}

/**
 * Of a session with too many statuses to be kept, the idle time of those before `until` is a sum: it is put where it is latest. What a stop
 * that is told late leaves no room for there is put after it.
 */
function parkedSpans({ startedAt, endedAt, idleMs, idleSpans }: MeasuredSession, until: number): readonly Span[] {
  const missing = idleMs - lengthOfAll(idleSpans)
  if (missing <= 0) return idleSpans
  const before = gapsOf(idleSpans, startedAt, endedAt).flatMap(({ from, to }): Span[] =>
    from < until ? [{ from, to: Math.min(to, until) }] : [],
  )
  const after = gapsOf(idleSpans, startedAt, endedAt).flatMap(({ from, to }): Span[] =>
    to > until ? [{ from: Math.max(from, until), to }] : [],
  )
  return withMore(idleSpans, missing, [...before.reverse(), ...after])
}

/** The spans without so much, taken from the beginnings of the last ones. */
function withLess(spans: readonly Span[], less: number): Span[] {
  let left = less
  return spans
    .toReversed()
    .map(({ from, to }) => {
      const taken = Math.min(left, to - from)
      left -= taken
      return { from: from + taken, to }
    })
    .filter((span) => lengthOf(span) > 0)
    .reverse()
}

/**
 * `stepMs` where a tariff bills idle time as time and rounds both together, which OCPI does not: a step that has begun by charging is then
 * charging time to its end, so that what is left to round is the parking time. `until`: of the statuses that are summed up, in ms.
 */
export function stretchesOf(session: MeasuredSession, until: number, stepMs: number | undefined): readonly Stretch[] {
  const { startedAt, endedAt, durationMs, idleMs } = session
  const idle = parkedSpans(session, until)
  const charging = durationMs - idleMs
  const parked = stepMs === undefined ? idle : withLess(idle, roundedUp(charging, stepMs) - charging)
  const stretches = [
    ...gapsOf(parked, startedAt, endedAt).map((span) => ({ ...span, isParked: false })),
    ...parked.map((span) => ({ ...span, isParked: true })),
  ].sort((a, b) => a.from - b.from)
  const merged: Stretch[] = []
  for (const stretch of stretches) {
    const before = merged.at(-1)
    if (before?.isParked === stretch.isParked) merged[merged.length - 1] = { ...before, to: stretch.to }
    else merged.push(stretch)
  }
  return merged.length > 0 ? merged : [{ from: startedAt, to: endedAt, isParked: false }]
}
