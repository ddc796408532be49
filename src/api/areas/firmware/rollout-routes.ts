// Rollouts are listed, read, and taken from stage to stage.

import { Type } from 'typebox'
import {
  type ChangeRolloutMessage,
  firmwareRolloutAddress,
  type RolloutReply,
} from '../../../actors/firmware-rollout/messages.js'
import { type FirmwareRollout, rolloutStatuses } from '../../../records/firmware-rollout.js'
import { type AmpshardError, notFound, overloaded } from '../../../runtime/errors.js'
import { line } from '../../../runtime/fault-words.js'
import { askActor } from '../../pipeline/ask-actor.js'
import { readRoutes } from '../../pipeline/record-routes.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { area, rollouts } from './area.js'
import {
  noStageLeft,
  rolloutEnded,
  rolloutNotInProgress,
  rolloutNotPaused,
  rolloutSoaking,
  stageInProgress,
  stageNotNext,
} from './errors.js'
import { limits } from './limits.js'
import {
  chargePointsOf,
  rolloutSchema,
  rolloutSummary,
  rolloutSummarySchema,
  rolloutView,
  stageFields,
  stageView,
} from './rollouts.js'

const path = '/firmware/rollout'
const one = `${path}/{rollout_id}` as const

const routes = readRoutes(area, rollouts, { path, schema: rolloutSummarySchema, show: rolloutSummary })

const listRollouts = routes.list({
  operationId: 'listFirmwareRollouts',
  summary: 'List rollouts of firmware, newest first',
  filters: {
    status: Type.Optional(Type.Enum([...rolloutStatuses], { description: 'Returns only rollouts with this status.' })),
  },
  indexes: { status: 'byStatus' },
  newestFirst: true,
  name: 'rollouts',
})

const getRollout = area.get(one, {
  operationId: 'getFirmwareRollout',
  summary: 'Get a rollout of firmware, with each of its charge points',
  of: rollouts,
  answer: rolloutSchema,
  sheddable: 'list',
  read: async ({ row }, services) => rolloutView(row, await chargePointsOf(row, services), services.view()),
})

/** Throws what its actor refuses. */
async function ask(rollout: FirmwareRollout, message: ChangeRolloutMessage, services: Services) {
  const reply = (await askActor(services, firmwareRolloutAddress(rollout.rollout_id), message)) as RolloutReply
  switch (reply.type) {
    case 'rollout':
    case 'stage':
      return reply
    case 'no-stage-left':
      throw noStageLeft('all stages of the rollout have begun')
    case 'stage-in-progress':
      throw stageInProgress(
        `stage ${reply.stage} has not ended: ${reply.open} of its ${reply.of} charge points have neither the firmware nor failed; to begin stage ${reply.stage + 1} all the same, name it in the body: {"stage": ${reply.stage + 1}}`,
      )
    case 'not-next':
      throw stageNotNext(`the next stage is ${reply.next}`)
    case 'soaking':
      throw rolloutSoaking(
        reply.until === undefined
          ? 'the newest stage of the rollout has not ended'
          : `the newest stage of the rollout is watched until ${formatTimestamp(reply.until)}; then the next begins by itself`,
      )
    case 'not-in-status':
      throw notInStatus(message, reply.rollout)
    case 'unknown':
      throw notFound('there is no such rollout')
  }
}

function notInStatus({ type }: ChangeRolloutMessage, { status }: FirmwareRollout): AmpshardError {
  const words = `the rollout is ${status}`
  if (type === 'pause') return rolloutNotInProgress(words)
  return type === 'resume' ? rolloutNotPaused(words) : rolloutEnded(words)
}

const executeStage = area.route({
  method: 'POST',
  path: `${one}/execute-stage`,
  operationId: 'executeFirmwareRolloutStage',
  summary: 'Begin the next stage of a rollout of firmware',
  description:
    'Without a body, the next stage begins only when the one before has ended: each of its charge points that are connected has the firmware or has failed, and at least one of them has. Repeated and concurrent calls begin one stage. ' +
    'With `stage`, that stage begins also while the one before has not ended, except in a rollout with `soak_minutes`; a stage that has begun already is returned, and nothing else happens. ' +
    'Without a body, a rollout that is paused goes on with the stage that it was at, if that has not ended or charge points of it were not sent the update yet.',
  of: rollouts,
  body: Type.Object({
    stage: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.rolloutChargePoints,
        description: 'The number of the stage that is to begin.',
      }),
    ),
  }),
  bodyOptional: true,
  examples: { next: {}, named: { stage: 2 } },
  responses: {
    200: Type.Object({ rollout_id: Type.String(), ...stageFields }),
  },
  errors: [noStageLeft, stageInProgress, stageNotNext, rolloutSoaking, rolloutEnded, overloaded],
  sheddable: 'command',
  async handle({ row, body }, services) {
    const message = { type: 'execute-stage', ...(body?.stage !== undefined && { stage: body.stage }) } as const
    const reply = await ask(row, message, services)
    const stage = reply.type === 'stage' ? reply.stage : reply.rollout.started_stages
    const rows = await chargePointsOf(row, services, stage)
    return { status: 200, body: { rollout_id: row.rollout_id, ...stageView(reply.rollout, stage, rows) } }
  },
})

async function change(row: FirmwareRollout, message: ChangeRolloutMessage, services: Services) {
  const { rollout } = await ask(row, message, services)
  return { status: 200, body: rolloutSummary(rollout, { view: services.view() }) }
}

const changed = { of: rollouts, responses: { 200: rolloutSummarySchema }, sheddable: 'command' } as const

const pauseRollout = area.route({
  method: 'POST',
  path: `${one}/pause`,
  operationId: 'pauseFirmwareRollout',
  summary: 'Pause a rollout of firmware',
  description: 'Charge points that were sent the update go on with it; no other is sent it until the rollout goes on.',
  ...changed,
  body: Type.Object({ reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500, ...line })) }),
  bodyOptional: true,
  errors: [rolloutNotInProgress, overloaded],
  examples: { reason: { reason: 'Wait for Monday.' } },
  handle: ({ row, body }, services) =>
    change(row, { type: 'pause', ...(body?.reason !== undefined && { reason: body.reason }) }, services),
})

const resumeRollout = area.route({
  method: 'POST',
  path: `${one}/resume`,
  operationId: 'resumeFirmwareRollout',
  summary: 'Resume a rollout of firmware that is paused',
  description: 'It goes on where it was; no other stage begins.',
  ...changed,
  errors: [rolloutNotPaused, overloaded],
  handle: ({ row }, services) => change(row, { type: 'resume' }, services),
})

const stopRollout = area.route({
  method: 'POST',
  path: `${one}/stop`,
  operationId: 'stopFirmwareRollout',
  summary: 'Stop a rollout of firmware for good',
  description:
    'Charge points that were sent the update go on with it; no other is sent it, and each of these can be in another rollout.',
  ...changed,
  errors: [rolloutEnded, overloaded],
  handle: ({ row }, services) => change(row, { type: 'stop' }, services),
})

export const rolloutRoutes = [listRollouts, getRollout, executeStage, pauseRollout, resumeRollout, stopRollout]
