// What a run has to reach, and whether it did: the word that continuous integration waits for.

import type { Thresholds } from './options.js'
import type { Results, ThresholdRow } from './results.js'

type Judged = Omit<Results, 'thresholds'>

const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`

export function judge(wanted: Thresholds, results: Judged): ThresholdRow[] {
  const rows: ThresholdRow[] = []
  const { summary, storms } = results
  const rounds = storms.map(({ seconds }) => seconds)
  for (const name of ['p50', 'p90', 'p99', 'p999'] as const) {
    const limit = wanted.maximumLatencyMs[name]
    if (limit === undefined) continue
    const measured = summary.latencyMs[name]
    rows.push({
      name: `latency ${name}`,
      limit: `at most ${milliseconds(limit)}`,
      measured: summary.latencyMs.count === 0 ? 'nothing was answered' : milliseconds(measured),
      // What was never answered has no latency to be proud of.
      met: summary.latencyMs.count > 0 && measured <= limit,
    })
  }
  if (wanted.maximumErrors !== undefined) {
    const { value, unit } = wanted.maximumErrors
    const share = (100 * summary.errors) / Math.max(1, summary.sent + summary.errors)
    rows.push({
      name: 'errors',
      limit: `at most ${value}${unit === '%' ? ' %' : ''}`,
      measured: unit === '%' ? `${share.toFixed(3)} %` : String(summary.errors),
      met: (unit === '%' ? share : summary.errors) <= value,
    })
  }
  if (wanted.minimumRate !== undefined) {
    rows.push({
      name: 'answered per second',
      limit: `at least ${wanted.minimumRate}`,
      measured: summary.ratePerSecond.toFixed(1),
      met: summary.ratePerSecond >= wanted.minimumRate,
    })
  }
  if (wanted.maximumStormSeconds !== undefined) {
    const slowest = Math.max(0, ...rounds)
    const missing = storms.reduce((total, storm) => total + storm.missing, 0)
    rows.push({
      name: 'slowest round of the storm',
      limit: `at most ${wanted.maximumStormSeconds} s`,
      measured: rounds.length === 0 ? 'no round' : `${slowest.toFixed(2)} s, ${missing} missing`,
      met: rounds.length > 0 && missing === 0 && slowest <= wanted.maximumStormSeconds,
    })
  }
  return rows
}
