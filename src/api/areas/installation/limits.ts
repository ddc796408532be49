// Bounds of the area: installation.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Points of each series in one answer, and how far back they go, in seconds. */
  installationPoints: 720,
  installationSeconds: 86_400,
  /** Streams of one front. */
  installationStreams: 50,
  /** Load runs that are kept, and steps of the curve of one that runs. */
  keptLoadRuns: 100,
  loadRunSteps: 300,
})
