// Bounds of the actor: firmware rollout.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** Charge points that a rollout looks at in one turn. */
    lookedAtPerTurn: 50,
    /** Rows that are removed in one turn, of a rollout that was never complete. */
    removedPerTurn: 200,
    /** Updates of one rollout that have been sent and are not answered. */
    unansweredUpdates: 200,
    /** How long the answer to an update is waited for, and when it is taken for lost. */
    answerMs: 60_000,
    answerLostMs: 90_000,
    /** How often an update is sent without an answer, and how often where no record tells whether it was sent. */
    unansweredSendings: 3,
    lostSendings: 10,
    /** After this, a charge point that was sent its update has failed. */
    updateMs: 86_400_000,
    /** And not before its time has been up for so long: the clock may have jumped. */
    overdueMs: 900_000,
    /** A charge point that says that it has installed the firmware is believed, unless it boots with another version within this time. */
    bootsWithinMs: 900_000,
    /** How long after a download that has failed the next attempt is waited for, beside the interval between attempts. */
    downloadAgainMs: 300_000,
    retryIntervalMs: 60_000,
    /** A charge point that has connected may be about to boot. */
    connectedMs: 5_000,
    /** When a charge point that could not be sent its update is looked at again: it was not free to take calls, it charges, or it is away. */
    busyMs: 30_000,
    chargingMs: 60_000,
    awayMs: 3_600_000,
    /** Characters of an error that a charge point has answered. */
    detailCharacters: 200,
  },
  ({ answerMs, answerLostMs }) => [[answerMs < answerLostMs, 'an answer is lost only when none can come any more']],
)
