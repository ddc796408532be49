// A rollout is made, with a row for each of its charge points.

import { Type } from 'typebox'
import {
  type FirmwareRollout,
  firmwareRolloutsTable,
  type RolloutStrategy,
  rolloutChargePointsTable,
  rolloutStrategies,
} from '../../../records/firmware-rollout.js'
import { conflict, notFound, overloaded } from '../../../runtime/errors.js'
import { filledLine, patternOf } from '../../../runtime/fault-words.js'
import type { Draft } from '../../pipeline/draft.js'
import { chargePointId, timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { principalName } from '../../surfaces/principal.js'
import { area } from './area.js'
import { enter, foundChargePoints } from './enter-charge-points.js'
import { chargePointInRollout } from './errors.js'
import { limits } from './limits.js'
import { rolloutFaults } from './rollout-faults.js'
import { rolloutSchema, rolloutView } from './rollouts.js'

const size = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: limits.rolloutChargePoints, description }))

const body = Type.Object({
  charge_point_ids: Type.Array(chargePointId(), {
    minItems: 1,
    maxItems: limits.rolloutChargePoints,
    description: 'In the order in which stages take them. Repeats are left out.',
  }),
  firmware_url: Type.String({
    maxLength: 512,
    ...patternOf('^[Hh][Tt][Tt][Pp][Ss]://[^\\s/?#]+[^\\s]*$', 'a URL that begins with https://'),
    description:
      'The charge points download the firmware from there; it must not be a loopback or link-local address. A password in it, a user name without one, and tokens and signatures in its query are sent to the charge points and shown nowhere; the rest of the address is shown to everybody who can read the rollout.',
  }),
  strategy: Type.Enum([...rolloutStrategies], {
    description: '`canary`: a few, then the rest. `rolling`: one batch after the other. `all_at_once`: one stage.',
  }),
  batch_size: size('Of `rolling`: charge points of each stage; a tenth of them unless given.'),
  canary_size: size('Of `canary`: charge points of the first stage; 1 unless given.'),
  start_at: Type.Optional(timestamp('No charge point is sent the update before this time.')),
  max_failure_percent: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      default: 20,
      description: 'When a larger part of a stage has failed, the rollout stops itself.',
    }),
  ),
  soak_minutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: limits.soakMinutes,
      description:
        'With it, the next stage begins by itself so long after all charge points of the stage before that are connected have ended, if at least one has the firmware.',
    }),
  ),
  not_while_charging: Type.Optional(
    Type.Boolean({ default: false, description: 'A charge point is sent the update when no session runs there.' }),
  ),
  target_version: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 50,
      ...filledLine,
      description:
        'The version that a charge point boots with once it has the firmware. Without it, any version other than before counts. A charge point that has it already is sent nothing. White space around it does not count.',
    }),
  ),
  signing_certificate: Type.Optional(
    Type.String({
      maxLength: 5_500,
      ...patternOf('^-----BEGIN CERTIFICATE-----[\\s\\S]+-----END CERTIFICATE-----\\s*$', 'a certificate in PEM'),
      description:
        'With `signature`, charge points are sent SignedUpdateFirmware; those that do not know it, UpdateFirmware.',
    }),
  ),
  signature: Type.Optional(
    Type.String({
      maxLength: 800,
      ...patternOf('^[A-Za-z0-9+/]+=*$', 'base64'),
      description: 'Of the firmware, in base64.',
    }),
  ),
  retries: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: limits.retries,
      description: 'How often a charge point tries the download again.',
    }),
  ),
  retry_interval_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.retryIntervalSeconds })),
})

interface Sizes {
  readonly strategy: RolloutStrategy
  readonly batch_size?: number
  readonly canary_size?: number
}

function stageSizes({ strategy, batch_size, canary_size }: Sizes, count: number) {
  switch (strategy) {
    case 'all_at_once':
      return { first_stage_size: count, next_stage_size: count }
    case 'canary':
      return { first_stage_size: Math.min(count, canary_size ?? 1), next_stage_size: count }
    case 'rolling': {
      const size = Math.min(count, batch_size ?? Math.ceil(count / 10))
      return { first_stage_size: size, next_stage_size: size }
    }
  }
}

const tooMany = (what: string) => conflict(`an organization can have at most ${what}`)

function requireRoom(draft: Draft, organizationId: string): void {
  const group = [organizationId]
  for (const status of ['pending', 'in_progress', 'paused'])
    draft.requireRoom(
      firmwareRolloutsTable,
      { index: 'byStatus', group: [organizationId, status] },
      limits.openRollouts,
      tooMany(`${limits.openRollouts} rollouts that are ${status}: stop one that is no longer needed`),
    )
  draft.requireRoom(
    firmwareRolloutsTable,
    { index: 'byOrganization', group },
    limits.keptRollouts,
    tooMany(`${limits.keptRollouts} rollouts; they are kept for 400 days`),
  )
  draft.requireRoom(
    rolloutChargePointsTable,
    { index: 'byOrganization', group },
    limits.keptRolloutChargePoints,
    tooMany(`${limits.keptRolloutChargePoints} charge points in all its rollouts; they are kept for 400 days`),
  )
}

export const createRollout = area.post('/firmware/rollout', {
  operationId: 'createFirmwareRollout',
  summary: 'Create a rollout of firmware',
  description:
    'Nothing is sent yet: each call of `execute-stage` begins the next stage. A charge point that is not connected is sent the update when it comes back, until the rollout has ended. ' +
    'Whether it has the firmware is seen from the version with which it boots; a charge point that names none is believed, and one that has not come to have it within 24 hours has failed.',
  body,
  answer: rolloutSchema,
  status: 201,
  errors: [chargePointInRollout, notFound, conflict, overloaded],
  examples: {
    canary: {
      charge_point_ids: ['CP-0042', 'CP-0043', 'CP-0044'],
      firmware_url: 'https://firmware.example/2.4.1.bin',
      strategy: 'canary',
      target_version: '2.4.1',
      soak_minutes: 60,
    },
    rolling: {
      charge_point_ids: ['CP-0042', 'CP-0043'],
      firmware_url: 'https://firmware.example/2.4.1.bin',
      strategy: 'rolling',
      batch_size: 1,
      max_failure_percent: 0,
    },
  },
  async change({ principal, body: asked }, draft, services) {
    const { charge_point_ids, start_at, not_while_charging, strategy, batch_size, canary_size, ...given } = asked
    const faults = rolloutFaults(asked)
    if (faults.length > 0) throw invalid(faults)
    const places = new Map<string, number>()
    for (const [place, id] of charge_point_ids.entries()) if (!places.has(id)) places.set(id, place)
    const ids = [...places.keys()]
    const { organization_id } = principal.organization
    requireRoom(draft, organization_id)
    const startsAt = start_at === undefined ? undefined : parseTimestamp(start_at)
    const sizes = {
      strategy,
      ...(batch_size !== undefined && { batch_size }),
      ...(canary_size !== undefined && { canary_size }),
    }
    const rollout: FirmwareRollout = {
      ...given,
      // Schemes are compared without regard to case, but maybe not by charge points.
      firmware_url: given.firmware_url.replace(/^https/i, 'https'),
      ...(given.target_version !== undefined && { target_version: given.target_version.trim() }),
      rollout_id: services.newId('rol'),
      organization_id,
      status: 'pending',
      strategy,
      charge_point_count: ids.length,
      ...stageSizes(sizes, ids.length),
      started_stages: 0,
      max_failure_percent: given.max_failure_percent ?? 20,
      ...(startsAt !== undefined && { start_at: formatTimestamp(startsAt) }),
      ...(not_while_charging === true && { not_while_charging }),
      created_by: principalName(principal),
      created_at: formatTimestamp(services.clock.now()),
    }
    const rows = await foundChargePoints(rollout, ids, places, services)
    await enter(draft, rollout, rows, services)
    return rolloutView(rollout, rows, draft.view)
  },
})
