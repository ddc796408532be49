// Bounds of the area: firmware.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Charge points of one rollout. */
  rolloutChargePoints: 10_000,
  /** Charge points that are entered into a rollout in one commit, and within what time all of them are. */
  enteredAtOnce: 250,
  enteredWithinMs: 120_000,
  /** Rollouts of an organization that have not ended, and charge points in all its rollouts that are kept. */
  openRollouts: 100,
  keptRollouts: 2_000,
  keptRolloutChargePoints: 500_000,
  /** Charge points that are read or prepared between two looks at the time. */
  rolloutChargePointsPerStep: 100,
  /** Charge points that the list of the fleet's firmware names of each version. */
  chargePointsOfFirmware: 100,
  /** Charge points that an error names. */
  namedConflicts: 100,
  soakMinutes: 43_200,
  retries: 20,
  retryIntervalSeconds: 86_400,
})
