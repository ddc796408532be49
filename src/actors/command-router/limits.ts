// Bounds of the actor: command router.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Operator commands a second for one charge point. */
  commandsPerSecond: 10,
  /** Charge points whose commands of the last second one command router remembers. */
  ratedChargePoints: 10_000,
  /** Characters of a charge point's answer, as JSON, that the record of a command keeps; whoever waits for it is given all of it. */
  recordedResponseCharacters: 16_384,
  /** Commands that a command router remembers to have begun. */
  recentCommands: 10_000,
  /** Timed-out commands that a command router remembers until their late answers. */
  timedOutCommands: 1_000,
})
