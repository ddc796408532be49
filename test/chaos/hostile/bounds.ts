// What an attack may cost the neighbours, and what of a measurement goes beyond it.

import type { Felt, Kind } from './neighbours.js'

export interface Bounds {
  /** The share of the answers that is looked at. */
  readonly share: 'p90Ms' | 'p99Ms'
  /** Milliseconds by kind of message: the greater of a fixed time and so many times the calm value. */
  readonly latencies: Readonly<Record<Kind, { readonly ms: number; readonly times: number }>>
  /** Times the calm value, and what a process of any size may grow by. */
  readonly memory: { readonly times: number; readonly megabytes: number }
  readonly endsWithinMs: number
}

/** The promise itself. */
export const promised: Bounds = {
  share: 'p99Ms',
  latencies: {
    heartbeat: { ms: 20, times: 3 },
    stored: { ms: 50, times: 0 },
    read: { ms: 50, times: 0 },
    payment: { ms: 50, times: 2 },
  },
  memory: { times: 1.5, megabytes: 0 },
  endsWithinMs: 9_500,
}

/** The order of magnitude, on processors that other tests use as well: an attack that stops a thread goes far beyond it. */
export const roughly: Bounds = {
  share: 'p90Ms',
  latencies: {
    heartbeat: { ms: 1_000, times: 10 },
    stored: { ms: 1_000, times: 10 },
    read: { ms: 1_000, times: 10 },
    payment: { ms: 2_000, times: 10 },
  },
  memory: { times: 1.5, megabytes: 150 },
  endsWithinMs: 12_000,
}

const words: Readonly<Record<Kind, string>> = {
  heartbeat: 'a Heartbeat',
  stored: 'a StatusNotification',
  read: 'an API read',
  payment: 'a payment',
}

/** One text for each thing that the neighbours should not have felt. */
export function beyond({ share, latencies }: Bounds, calm: Felt, felt: Felt): string[] {
  const slow = (Object.keys(latencies) as Kind[]).flatMap((kind) => {
    const { ms, times } = latencies[kind]
    const [before, took] = [calm.latencies[kind], felt.latencies[kind]]
    // Whoever waits for one answer sends nothing else meanwhile, and that wait is measured.
    if (took.count === 0) return []
    const bound = Math.max(ms, times * before[share])
    if (took[share] <= bound) return []
    return [`${words[kind]} took ${took[share].toFixed(1)} ms at ${share}, over ${bound.toFixed(1)}`]
  })
  const nothing = Object.values(felt.latencies).every(({ count }) => count === 0)
  return [
    ...(nothing ? ['nobody was answered'] : []),
    ...slow,
    ...Object.entries(felt.wrongs).map(([what, count]) => `${count} times: ${what}`),
  ]
}
