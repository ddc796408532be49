// How the API shows a rollout: as a whole, and charge point by charge point.

import { type Static, Type } from 'typebox'
import { redactUrl } from '../../../ocpp16/secrets.js'
import {
  type FirmwareRollout,
  isEnded,
  isUnsent,
  type RolloutChargePoint,
  rolloutChargePointsTable,
  rolloutReasons,
  rolloutStatuses,
  rolloutStrategies,
  type Standing,
  stageBegins,
  stageCount,
  stageSize,
  statusOfUpdate,
  updateErrors,
  updateStatuses,
} from '../../../records/firmware-rollout.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { longOncePaused } from '../../pipeline/long-reads.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { actorName } from '../../surfaces/actor-name.js'
import { limits } from './limits.js'

const count = (description?: string) => Type.Integer({ minimum: 0, ...(description !== undefined && { description }) })

const summary = {
  rollout_id: Type.String({ examples: ['rol_01M7YW4E6G2T1X0Z8V7S5D6C4R'] }),
  status: Type.Enum([...rolloutStatuses]),
  reason: nullable(
    Type.Enum([...rolloutReasons], {
      description:
        'Why it has failed. `failure_budget`: more charge points of a stage have failed than `max_failure_percent` allows. `stopped_by_request`: an operator has stopped it.',
    }),
  ),
  strategy: Type.Enum([...rolloutStrategies]),
  firmware_url: Type.String({
    description: 'Its password, or a user name without one, is shown as `redacted`. A query is shown as it is.',
  }),
  target_version: nullable(Type.String()),
  batch_size: nullable(Type.Integer()),
  canary_size: nullable(Type.Integer()),
  max_failure_percent: Type.Number(),
  start_at: nullable(timestamp()),
  soak_minutes: nullable(Type.Integer()),
  soaks_until: nullable(timestamp('The newest stage has ended, and the next begins by itself then.')),
  not_while_charging: Type.Boolean(),
  is_signed: Type.Boolean(),
  retries: nullable(Type.Integer()),
  retry_interval_seconds: nullable(Type.Integer()),
  pause_reason: nullable(Type.String()),
  charge_points: count(),
  installed: count(),
  failed: count(),
  stage_count: count(),
  started_stages: count(),
  created_by: Type.String(),
  created_by_name: Type.String({ description: 'The name of that key or member; `created_by` where it has none.' }),
  created_at: timestamp(),
  started_at: nullable(timestamp()),
  paused_at: nullable(timestamp()),
  completed_at: nullable(timestamp('When it has ended, whatever the end was.')),
}

export const rolloutSummarySchema = named('FirmwareRolloutSummary', summary)

const stageStatuses = ['pending', 'in_progress', 'completed', 'failed'] as const

export const stageFields = {
  stage: Type.Integer({ minimum: 1 }),
  charge_point_ids: Type.Array(Type.String()),
  status: Type.Enum([...stageStatuses], {
    description:
      '`completed`: each charge point is installed or has failed. `failed`: more have failed than the rollout allows, or the rollout was over before each was sent the update.',
  }),
}

export const rolloutSchema = named('FirmwareRollout', {
  ...summary,
  stages: Type.Array(Type.Object(stageFields)),
  chargers: Type.Array(
    Type.Object({
      charge_point_id: Type.String(),
      stage: Type.Integer({ minimum: 1 }),
      status: Type.Enum([...updateStatuses], {
        description:
          '`installed` until the rollout is `completed` may rest on the word of the charge point; a boot with another version makes it `failed`.',
      }),
      waiting_for: nullable(
        Type.Enum(['connection', 'end_of_charging', 'resume'], {
          description:
            'Why it was not sent the update yet, though its stage has begun. `resume`: the rollout is paused.',
        }),
      ),
      updated_at: timestamp(),
      sent_at: nullable(timestamp()),
      version_before: nullable(Type.String()),
      firmware_version: nullable(Type.String({ description: 'What it has booted with since it was sent the update.' })),
      error: nullable(Type.Enum([...updateErrors])),
      detail: nullable(Type.String({ description: 'What has happened, and what to do about it.' })),
    }),
  ),
})

export function rolloutSummary(
  rollout: FirmwareRollout,
  { view }: { readonly view: ReadView },
): Static<typeof rolloutSummarySchema> {
  const { strategy, first_stage_size, next_stage_size } = rollout
  const total = (standing: Standing): number =>
    view.total(rolloutChargePointsTable, 'byStanding', [rollout.rollout_id, standing])
  return {
    rollout_id: rollout.rollout_id,
    status: rollout.status,
    reason: rollout.reason ?? null,
    strategy,
    firmware_url: redactUrl(rollout.firmware_url),
    target_version: rollout.target_version ?? null,
    batch_size: strategy === 'rolling' ? next_stage_size : null,
    canary_size: strategy === 'canary' ? first_stage_size : null,
    max_failure_percent: rollout.max_failure_percent,
    start_at: rollout.start_at ?? null,
    soak_minutes: rollout.soak_minutes ?? null,
    soaks_until: rollout.soaks_until === undefined ? null : formatTimestamp(rollout.soaks_until),
    not_while_charging: rollout.not_while_charging === true,
    is_signed: rollout.signature !== undefined,
    retries: rollout.retries ?? null,
    retry_interval_seconds: rollout.retry_interval_seconds ?? null,
    pause_reason: rollout.pause_reason ?? null,
    charge_points: rollout.charge_point_count,
    installed: total('installed'),
    failed: total('failed') + total('gone'),
    stage_count: stageCount(rollout),
    started_stages: rollout.started_stages,
    created_by: rollout.created_by,
    created_by_name: actorName(view, rollout.organization_id, rollout.created_by),
    created_at: rollout.created_at,
    started_at: rollout.started_at ?? null,
    paused_at: rollout.paused_at ?? null,
    completed_at: rollout.completed_at ?? null,
  }
}

/** The rows of a rollout, or of one stage, in their order; read in slices. */
export async function chargePointsOf(
  rollout: FirmwareRollout,
  services: Pick<Services, 'view' | 'longReads'>,
  stage?: number,
): Promise<readonly RolloutChargePoint[]> {
  const view = services.view()
  const begin = stage === undefined ? 0 : stageBegins(rollout, stage)
  const end = stage === undefined ? rollout.charge_point_count : begin + stageSize(rollout, stage)
  const rows: RolloutChargePoint[] = []
  const read = longOncePaused(services.longReads.of(rollout.organization_id))
  try {
    for (let from = begin; from < end; from += limits.rolloutChargePointsPerStep) {
      if (from > begin && read.isOver()) await read.pause()
      const to = Math.min(end, from + limits.rolloutChargePointsPerStep)
      rows.push(...view.list(rolloutChargePointsTable, [rollout.rollout_id], { from: [from], to: [to] }))
    }
  } finally {
    read.end()
  }
  return rows
}

export function rolloutView(
  rollout: FirmwareRollout,
  rows: readonly RolloutChargePoint[],
  view: ReadView,
): Static<typeof rolloutSchema> {
  const stages = Array.from({ length: stageCount(rollout) }, (_, at) => {
    const begins = stageBegins(rollout, at + 1)
    return stageView(rollout, at + 1, rows.slice(begins, begins + stageSize(rollout, at + 1)))
  })
  // Counted here, so that the counts are those of the rows that are shown.
  const count = (...standings: readonly Standing[]): number =>
    rows.filter(({ standing }) => standings.includes(standing)).length
  const counts = { installed: count('installed'), failed: count('failed', 'gone') }
  return {
    ...rolloutSummary(rollout, { view }),
    ...counts,
    stages,
    chargers: rows.map((row) => chargerView(row, rollout)),
  }
}

export function stageView(rollout: FirmwareRollout, stage: number, rows: readonly RolloutChargePoint[]) {
  const charge_point_ids = rows.map(({ charge_point_id }) => charge_point_id)
  return { stage, charge_point_ids, status: stageStatus(rollout, stage, rows) }
}

function stageStatus(
  rollout: FirmwareRollout,
  stage: number,
  rows: readonly RolloutChargePoint[],
): (typeof stageStatuses)[number] {
  if (stage > rollout.started_stages) return 'pending'
  const failed = rows.filter(({ standing }) => standing === 'failed').length
  const isOverBudget = failed * 100 > rollout.max_failure_percent * stageSize(rollout, stage)
  if (isOverBudget || rows.some(({ standing }) => standing === 'unsent')) return 'failed'
  return rows.every(isEnded) ? 'completed' : 'in_progress'
}

function waitingFor(row: RolloutChargePoint, { status, started_stages }: FirmwareRollout) {
  if (status === 'paused' && isUnsent(row) && row.stage <= started_stages) return 'resume'
  return row.standing === 'offline' ? 'connection' : row.standing === 'charging' ? 'end_of_charging' : null
}

function chargerView(row: RolloutChargePoint, rollout: FirmwareRollout) {
  const { sent_at } = row
  return {
    charge_point_id: row.charge_point_id,
    stage: row.stage,
    status: statusOfUpdate(row),
    waiting_for: waitingFor(row, rollout),
    updated_at: row.updated_at,
    sent_at: sent_at === undefined ? null : formatTimestamp(sent_at),
    version_before: row.version_before ?? null,
    firmware_version: row.firmware_version ?? null,
    error: row.error ?? null,
    detail: row.detail ?? null,
  } as const
}
