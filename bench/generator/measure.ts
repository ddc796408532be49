// Counts and latencies of one generator since the last mark, in an HDR histogram of microseconds.

import { createHistogram, percentileMs, record } from './histogram.js'
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

export function createMeasure(): Measure {
  const histogram = createHistogram()
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
      record(histogram, microseconds)
    },
    failed(reason) {
      failures++
      failure ??= reason
    },
    report() {
      const used = process.cpuUsage(cpu)
      const report: GeneratorReport = {
        completed,
        failed: failures,
        failure,
        seconds: (performance.now() - startedAt) / 1000,
        cpuSeconds: (used.user + used.system) / 1_000_000,
        latency: {
          p50: percentileMs(histogram, 50),
          p90: percentileMs(histogram, 90),
          p99: percentileMs(histogram, 99),
          maximum: percentileMs(histogram, 100),
        },
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
