// Events of firmware rollouts. Those of what a charge point reports by itself are in charge-point.ts.

import { Type } from 'typebox'
import { rolloutReasons, rolloutStrategies, updateErrors } from '../records/firmware-rollout.js'
import { chargePointId, defineEvent, orNull, time } from './define-event.js'

const rolloutId = () =>
  Type.String({ description: 'The id of the rollout.', examples: ['rol_01M7YW4E6G2T1X0Z8V7S5D6C4R'] })

export const firmwareUpdateFailed = defineEvent({
  name: 'firmware.update_failed',
  description: 'A charge point of a rollout has not come to have the firmware.',
  data: Type.Object({
    charge_point_id: chargePointId(),
    rollout_id: rolloutId(),
    error: Type.Enum([...updateErrors], { examples: ['download_failed'] }),
    detail: orNull(Type.String({ examples: ['It answered InternalError.'] })),
    firmware_version: orNull(
      Type.String({ description: 'What it has booted with since it was sent the update.', examples: ['2.4.0'] }),
    ),
  }),
})

const rollout = {
  rollout_id: rolloutId(),
  strategy: Type.Enum([...rolloutStrategies], { examples: ['canary'] }),
  firmware_url: Type.String({
    description: 'Its password, or a user name without one, is shown as `redacted`. A query is shown as it is.',
    examples: ['https://firmware.example/2.4.1.bin'],
  }),
}

const stage = Type.Integer({ minimum: 1, description: 'The number of the stage.', examples: [1] })

export const rolloutStageStarted = defineEvent({
  name: 'firmware.rollout_stage_started',
  description: 'A stage of a rollout has begun. The first stage is the beginning of the rollout.',
  data: Type.Object({ ...rollout, stage, stages: Type.Integer({ examples: [2] }), started_at: time() }),
})

export const rolloutPaused = defineEvent({
  name: 'firmware.rollout_paused',
  description: 'An operator has paused a rollout.',
  data: Type.Object({ ...rollout, reason: orNull(Type.String({ examples: ['Wait for Monday.'] })), paused_at: time() }),
})

const outcome = {
  installed: Type.Integer({ description: 'Charge points that have the firmware.', examples: [48] }),
  failed: Type.Integer({ examples: [2] }),
  charge_points: Type.Integer({ description: 'All charge points of the rollout.', examples: [50] }),
  completed_at: time(),
}

export const rolloutCompleted = defineEvent({
  name: 'firmware.rollout_completed',
  description: 'Each charge point of a rollout has the firmware, or has failed within the failure budget.',
  data: Type.Object({ ...rollout, ...outcome }),
})

export const rolloutFailed = defineEvent({
  name: 'firmware.rollout_failed',
  description:
    'A rollout was stopped: by itself, because too many charge points of a stage had failed, or by an operator.',
  data: Type.Object({
    ...rollout,
    ...outcome,
    reason: Type.Enum([...rolloutReasons], { examples: ['failure_budget'] }),
  }),
})
