// How long after the answer to a status it was on the screen: what was said, beside what was seen.

import { createHistogram, percentileMs, record } from '../generator/histogram.js'
import type { Seen } from './fleet-tab.js'
import type { Said } from './probes.js'

export interface ShownAfter {
  /** Ms. */
  readonly p50: number
  readonly p99: number
  /** Statuses that were not seen before the charge point said the next but one. */
  readonly missing: number
}

/** A charge point alternates between two states; its answer may be read a moment later than the screen is drawn. */
const earliestMs = 250

export function shownAfter(said: readonly Said[], seen: readonly Seen[]): ShownAfter {
  const histogram = createHistogram()
  let missing = 0
  for (const id of new Set(said.map((one) => one.id))) {
    const ofOne = said.filter((one) => one.id === id)
    const shown = seen.filter((one) => one.id === id)
    ofOne.forEach(({ state, at }, index) => {
      const until = ofOne[index + 2]?.at ?? Number.POSITIVE_INFINITY
      const found = shown.find(
        (one) => one.state === state.toLowerCase() && one.at > at - earliestMs && one.at < until - earliestMs,
      )
      if (found === undefined) missing++
      else record(histogram, (found.at - at) * 1_000)
    })
  }
  if (histogram.totalCount === 0) throw new Error('no status was seen in the tab')
  return { p50: percentileMs(histogram, 50), p99: percentileMs(histogram, 99), missing }
}
