// HDR histograms of microseconds, the same everywhere, and the pairs in which they travel between processes.

import { build, type Histogram, type JsHistogram } from 'hdr-histogram-js'

export type { Histogram } from 'hdr-histogram-js'

/** Longer latencies count as this one: two minutes. */
export const longestMicroseconds = 120_000_000

/** `digits` significant digits: 3 for what is published, 2 where one is made every second. */
export function createHistogram(digits: 2 | 3 = 3): Histogram {
  return build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: longestMicroseconds,
    numberOfSignificantValueDigits: digits,
    useWebAssembly: false,
  })
}

export function record(histogram: Histogram, microseconds: number): void {
  histogram.recordValue(Math.min(longestMicroseconds, Math.max(1, Math.round(microseconds))))
}

/** Value, count, value, count and so on. */
export type Pairs = readonly number[]

export function pairsOf(histogram: Histogram): Pairs {
  // The type is wider than what `build` makes here, which is never the WebAssembly one.
  const counts = histogram as JsHistogram
  const pairs: number[] = []
  if (counts.totalCount === 0) return pairs
  const last = counts.countsArrayIndex(counts.maxValue)
  for (let index = 0; index <= last; index++) {
    const count = counts.getCountAtIndex(index)
    if (count > 0) pairs.push(counts.medianEquivalentValue(counts.valueFromIndex(index)), count)
  }
  return pairs
}

export function addPairs(histogram: Histogram, pairs: Pairs): void {
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    histogram.recordValueWithCount(Math.min(longestMicroseconds, pairs[at] as number), pairs[at + 1] as number)
  }
}

/** Milliseconds; 0 when nothing was recorded. */
export function percentileMs(histogram: Histogram, percentile: number): number {
  return histogram.totalCount === 0 ? 0 : histogram.getValueAtPercentile(percentile) / 1000
}
