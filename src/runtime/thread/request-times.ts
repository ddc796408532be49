// How long API requests took, by operation and status. Both are closed sets, so the map is bounded.

import { createHistogram, type Histogram } from '../histogram.js'

const boundsMs = [1, 2, 5, 10, 25, 50, 100, 250, 1_000, 5_000]

export interface RequestTimesRecorder {
  observe(measure: { readonly operationId: string; readonly status: number; readonly milliseconds: number }): void
  snapshot(): {
    readonly operation: string
    readonly status: number
    readonly times: ReturnType<Histogram['snapshot']>
  }[]
}

export function createRequestTimes(): RequestTimesRecorder {
  const byKey = new Map<string, { operation: string; status: number; histogram: Histogram }>()
  return {
    observe({ operationId, status, milliseconds }) {
      const key = `${operationId} ${status}`
      let entry = byKey.get(key)
      if (entry === undefined) {
        entry = { operation: operationId, status, histogram: createHistogram(boundsMs) }
        byKey.set(key, entry)
      }
      entry.histogram.observe(milliseconds)
    },
    snapshot: () =>
      [...byKey.values()].map(({ operation, status, histogram }) => ({
        operation,
        status,
        times: histogram.snapshot(),
      })),
  }
}
