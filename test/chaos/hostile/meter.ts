// What the neighbours have felt since they were last asked.

import { createHistogram, percentileMs, record } from '../../../bench/generator/histogram.js'
import { type Felt, type Kind, kinds, type Latency } from './neighbours.js'

export interface Meter {
  /** The time until it resolves; as long as it does not, the time so far counts. */
  time<Value>(kind: Kind, waited: Promise<Value>): Promise<Value>
  wrong(what: string): void
  take(): Felt
}

interface Waiting {
  readonly kind: Kind
  readonly since: number
}

export function createMeter(): Meter {
  let histograms = newHistograms()
  let wrongs = new Map<string, number>()
  const waiting = new Set<Waiting>()

  return {
    async time(kind, waited) {
      const one = { kind, since: performance.now() }
      waiting.add(one)
      try {
        return await waited
      } finally {
        waiting.delete(one)
        record(histograms[kind], (performance.now() - one.since) * 1_000)
      }
    },
    wrong(what) {
      wrongs.set(what, (wrongs.get(what) ?? 0) + 1)
    },
    take() {
      const now = performance.now()
      for (const { kind, since } of waiting) record(histograms[kind], (now - since) * 1_000)
      const felt = {
        latencies: Object.fromEntries(kinds.map((kind) => [kind, latencyOf(histograms[kind])])) as Record<
          Kind,
          Latency
        >,
        wrongs: Object.fromEntries(wrongs),
      }
      histograms = newHistograms()
      wrongs = new Map()
      return felt
    },
  }
}

type Histograms = Record<Kind, ReturnType<typeof createHistogram>>

function newHistograms(): Histograms {
  return Object.fromEntries(kinds.map((kind) => [kind, createHistogram()])) as Histograms
}

function latencyOf(histogram: Histograms[Kind]): Latency {
  return {
    count: histogram.totalCount,
    p50Ms: percentileMs(histogram, 50),
    p90Ms: percentileMs(histogram, 90),
    p99Ms: percentileMs(histogram, 99),
    mostMs: percentileMs(histogram, 100),
  }
}
