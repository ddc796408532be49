// A histogram of durations with fixed bounds: one comparison walk and two additions an observation.

export interface Histogram {
  observe(ms: number): void
  snapshot(): { readonly bounds: readonly number[]; readonly counts: readonly number[]; readonly sumMs: number }
}

export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = new Array<number>(bounds.length + 1).fill(0)
  let sumMs = 0
  return {
    observe(ms) {
      let at = 0
      while (at < bounds.length && ms > (bounds[at] as number)) at++
      counts[at] = (counts[at] as number) + 1
      sumMs += ms
    },
    snapshot: () => ({ bounds, counts: [...counts], sumMs }),
  }
}
