// Counts and latencies of one generator since the last mark, in an HDR histogram of microseconds.

import { build } from 'hdr-histogram-js'
import type { GeneratorReport } from './protocol.js'

export interface Measure {
  /** A success that took `microseconds`. */
  succeeded(microseconds: number): void
  failed(reason: string): void
  readonly completed: number
  readonly failures: number
  /** Reports and begins anew. */
  report(): GeneratorReport
}

const longestMicroseconds = 120_000_000

export function createMeasure(): Measure {
  const histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: longestMicroseconds,
    numberOfSignificantValueDigits: 3,
    useWebAssembly: false,
  })
  let completed = 0
  let failures = 0
  let failure: string | undefined
  let startedAt = performance.now()
  let cpu = process.cpuUsage()

  return {
    get completed() {
      return completed
    },
    get failures() {
      return failures
    },
    succeeded(microseconds) {
      completed++
      histogram.recordValue(Math.min(longestMicroseconds, Math.max(1, Math.round(microseconds))))
    },
    failed(reason) {
      failures++
      failure ??= reason
    },
    report() {
      const used = process.cpuUsage(cpu)
      const percentile = (at: number): number => (completed === 0 ? 0 : histogram.getValueAtPercentile(at) / 1000)
      const report: GeneratorReport = {
        completed,
        failed: failures,
        failure,
        seconds: (performance.now() - startedAt) / 1000,
        cpuSeconds: (used.user + used.system) / 1_000_000,
        latency: { p50: percentile(50), p90: percentile(90), p99: percentile(99), maximum: percentile(100) },
      }
      histogram.reset()
      completed = 0
      failures = 0
      failure = undefined
      startedAt = performance.now()
      cpu = process.cpuUsage()
      return report
    },
  }
}
