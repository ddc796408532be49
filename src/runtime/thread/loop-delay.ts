// How late this thread's event loop runs, over the last second.

import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 50
const windowMs = 1_000

/** Returns a function that tells the longest delay of the last full window, in ms. */
export function measureLoopDelay(): () => number {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  let last = 0
  setInterval(() => {
    last = Math.max(0, histogram.max / 1e6 - resolutionMs)
    histogram.reset()
  }, windowMs).unref()
  return () => last
}
