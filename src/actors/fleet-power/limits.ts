// Bounds of the actor: fleet power.

import { defineLimits } from '../../runtime/define-limits.js'
import { limits as runtime } from '../../runtime/limits.js'

export const limits = defineLimits(
  {
    /** All sites of an organization have told of a minute so long after its beginning: they do once a minute. */
    settledAfterMs: 180_000,
    /** Of older minutes nothing is taken. */
    takenWithinMs: 600_000,
    fleetLookMs: 15_000,
    /** What was noted is read from the store only so long after. */
    inMemoryMs: 2 * runtime.notesWithinMs,
    /** All sites of an organization may tell of themselves at once. */
    fleetMailboxMessages: 20_000,
  },
  (bounds) => [[bounds.settledAfterMs < bounds.takenWithinMs, 'a minute is settled before it is too old to be taken']],
)
