// How much of a session's energy had been taken at a moment, by its meter values. Registers that fell are passed over: the whole is known, and
// they only say how it is spread.

import type { MeasuredSession, RegisterSample } from '../../pricing/session-facts.js'

interface Point {
  readonly at: number
  /** Wh since the start, as registers say it. */
  readonly taken: number
}

/** ms of the time in which the vehicle was not idle. */
function drawingMs({ idleSpans }: MeasuredSession, from: number, to: number): number {
  return idleSpans.reduce(
    (left, span) => left - Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)),
    to - from,
  )
}

function pointsOf({ startedAt, endedAt }: MeasuredSession, samples: readonly RegisterSample[]): readonly Point[] {
  let [taken, highest] = [0, samples[0]?.registerWh ?? 0]
  const points: Point[] = [{ at: startedAt, taken: 0 }]
  for (const { at, registerWh } of samples) {
    taken += Math.max(0, registerWh - highest)
    highest = registerWh
    const within = Math.max(points.at(-1)?.at ?? startedAt, Math.min(endedAt, at))
    points.push({ at: within, taken })
  }
  return taken > 0
    ? [...points, { at: endedAt, taken }]
    : [
        { at: startedAt, taken: 0 },
        { at: endedAt, taken: 1 },
      ]
}

/** From 0 to 1, as a function of the time in ms: evenly between two meter values, without the time in which the vehicle was idle. */
export function energyOverTime(session: MeasuredSession, samples: readonly RegisterSample[]): (at: number) => number {
  const points = pointsOf(session, samples)
  const whole = points.at(-1)?.taken ?? 1
  return (at) => {
    if (at >= session.endedAt) return 1
    const next = points.findIndex((point) => point.at > at)
    const [before, after] = [points[next - 1], points[next]]
    if (before === undefined || after === undefined) return 0
    const drawing = drawingMs(session, before.at, after.at)
    const part = drawing > 0 ? drawingMs(session, before.at, at) / drawing : (at - before.at) / (after.at - before.at)
    return (before.taken + (after.taken - before.taken) * part) / whole
  }
}
