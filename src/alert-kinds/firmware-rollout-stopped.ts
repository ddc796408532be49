// A rollout of firmware has stopped itself.

import { defineAlertKind, detail } from './define-kind.js'

interface StoppedFacts {
  readonly rolloutId: string
  readonly stage: number
  readonly failed: number
  readonly chargePoints: number
  readonly maxFailurePercent: number
}

export const firmwareRolloutStopped = defineAlertKind({
  name: 'firmware_rollout_stopped',
  severity: 'critical',
  meaning:
    'A rollout of firmware was stopped, because more charge points of a stage have failed than its `max_failure_percent` allows. No further charge point is sent the update.',
  lasts: false,
  nextStep:
    'See why the charge points have failed: the rollout says it for each. Mend the cause, and make another rollout for the rest.',
  look: '/api/v1/cpo/firmware/rollout/{rollout_id}',
  details: { rollout_id: detail.text('Rollout') },
  find: ({ rolloutId, stage, failed, chargePoints, maxFailurePercent }: StoppedFacts) => ({
    message: `firmware rollout ${rolloutId} was stopped: in stage ${stage}, ${failed} of ${chargePoints} charge points have failed, which is more than ${maxFailurePercent} percent`,
    details: { rollout_id: rolloutId },
  }),
})
