// Why a rollout is not made or not changed.

import { defineError } from '../../../runtime/errors.js'

export const chargePointInRollout = defineError('charge_point_in_rollout', {
  status: 409,
  meaning:
    'Another rollout that has not ended has the charge point. `details` names each such charge point by its place in `charge_point_ids`, with the rollout. Stop that rollout, or leave the charge point out.',
})

export const noStageLeft = defineError('no_stage_left', {
  status: 409,
  meaning: 'All stages of the rollout have begun.',
})

export const stageInProgress = defineError('stage_in_progress', {
  status: 409,
  meaning:
    'The newest stage of the rollout has not ended, so the next one has not begun. Wait until it has ended, or name the next stage (`{"stage": 2}`) to begin it all the same.',
})

export const stageNotNext = defineError('stage_not_next', {
  status: 409,
  meaning: 'Stages begin one after the other, and the stage that the request names is not the next one.',
})

export const rolloutSoaking = defineError('rollout_soaking', {
  status: 409,
  meaning:
    'The rollout has `soak_minutes`, and its newest stage has not ended, or is still watched. The next stage begins by itself afterwards.',
})

export const rolloutNotInProgress = defineError('rollout_not_in_progress', {
  status: 409,
  meaning: 'The rollout has not begun, is paused, or has ended.',
})

export const rolloutNotPaused = defineError('rollout_not_paused', {
  status: 409,
  meaning: 'The rollout is not paused.',
})

export const rolloutEnded = defineError('rollout_ended', {
  status: 409,
  meaning: 'The rollout has ended.',
})
