// Bounds of the area: commands.

import { limits as router } from '../../../actors/command-router/limits.js'
import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** Charge points of one bulk command. */
    bulkTargets: 100,
    /** Commands that are shown of those that wait for an answer. */
    shownWaiting: 200,
    /** How often a front tries to have interrupted commands recorded, while shards end. */
    recordAttempts: 3,
    /** How long past a command's own deadline its record is waited for. */
    recordingMs: 5_000,
  },
  (bounds) => [
    [
      router.deadlinesSpreadMs * 2 <= bounds.recordingMs,
      'a command whose deadline is put off is still recorded in time',
    ],
  ],
)
