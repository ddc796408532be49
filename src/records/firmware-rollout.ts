// A rollout of firmware: what is to be installed, and how far each of its charge points is, in a row for each. The API makes the rows, many of them
// in several commits; once they are complete, the actor of the rollout alone writes them. It removes what was not completed in time.

import { timeOfId } from '../runtime/ids.js'
import { defineTable } from '../runtime/store/table.js'

export const rolloutStrategies = ['canary', 'rolling', 'all_at_once'] as const
export type RolloutStrategy = (typeof rolloutStrategies)[number]

export const rolloutStatuses = ['pending', 'in_progress', 'paused', 'completed', 'failed'] as const
export type RolloutStatus = (typeof rolloutStatuses)[number]

/** Why a rollout has failed. */
export const rolloutReasons = ['failure_budget', 'stopped_by_request'] as const
export type RolloutReason = (typeof rolloutReasons)[number]

/** How far a charge point is, as its operator sees it. */
export const updateStatuses = [
  'pending',
  'sent',
  'downloading',
  'downloaded',
  'installing',
  'installed',
  'failed',
] as const
export type UpdateStatus = (typeof updateStatuses)[number]

/** What a charge point has said of an update that it was sent; `installed` until its next boot shows whether it is so. */
export type UpdateStep = Exclude<UpdateStatus, 'pending' | 'failed'>

export const updateErrors = [
  'signed_firmware_required',
  'not_supported',
  'refused',
  'invalid_certificate',
  'revoked_certificate',
  'no_answer',
  'download_failed',
  'invalid_signature',
  'installation_failed',
  'install_verification_failed',
  'version_unchanged',
  'other_version',
  'timeout',
  'charge_point_removed',
  'not_sent',
] as const
export type UpdateError = (typeof updateErrors)[number]

export interface FirmwareRollout {
  readonly rollout_id: string
  readonly organization_id: string
  readonly status: RolloutStatus
  /** Why it has failed. */
  readonly reason?: RolloutReason
  readonly strategy: RolloutStrategy
  readonly firmware_url: string
  readonly charge_point_count: number
  /** Charge points of the first stage, and of each after it. */
  readonly first_stage_size: number
  readonly next_stage_size: number
  /** Its charge points are still being entered, and nobody was told of it: it is removed if that is not done by then, wall ms. */
  readonly entered_until?: number
  /** Stages that have begun. */
  readonly started_stages: number
  readonly max_failure_percent: number
  /** No charge point is sent its update before. */
  readonly start_at?: string
  /** With it, the next stage begins by itself so long after the one before has ended. */
  readonly soak_minutes?: number
  readonly not_while_charging?: true
  /** The version that charge points boot with once they have it; any other than before where it is absent. */
  readonly target_version?: string
  /** PEM, with the signature in base64: the charge point is sent SignedUpdateFirmware. */
  readonly signing_certificate?: string
  readonly signature?: string
  readonly retries?: number
  readonly retry_interval_seconds?: number
  readonly created_by: string
  readonly created_at: string
  readonly started_at?: string
  readonly paused_at?: string
  readonly pause_reason?: string
  /** The newest stage is over, and is watched until then, wall ms. */
  readonly soaks_until?: number
  /** Its end, whatever it was. */
  readonly completed_at?: string
}

/** Before the update is sent: not looked at yet, and otherwise what it waits for. */
export const unsentStandings = ['waiting', 'queued', 'offline', 'charging'] as const
/** It is sent, and what has come of it is not known yet. */
export const underWayStandings = ['sending', 'updating'] as const
/** `gone`: no longer a charge point of the organization. `unsent`: the rollout was over before. */
export const endedStandings = ['installed', 'failed', 'gone', 'unsent'] as const
export type Standing =
  | (typeof unsentStandings)[number]
  | (typeof underWayStandings)[number]
  | (typeof endedStandings)[number]

export interface RolloutChargePoint {
  readonly rollout_id: string
  /** In the order of the request, from 0: stages are parts of this order. */
  readonly place: number
  readonly stage: number
  readonly charge_point_id: string
  readonly organization_id: string
  /** When the charge point was registered: one that is registered anew under the same id is another. */
  readonly registered_at: string
  readonly standing: Standing
  readonly updated_at: string
  /** It is looked at then, wall ms, if nothing is heard of it before. */
  readonly due_at?: number
  /** The command that it was sent with last, while its answer is not known. */
  readonly command_id?: string
  /** Of SignedUpdateFirmware. */
  readonly request_id?: number
  /** It was sent SignedUpdateFirmware and does not know it: it gets UpdateFirmware. */
  readonly is_unsigned?: true
  /** When it was sent, or may have been, for the first time and for the last, wall ms. */
  readonly first_sent_at?: number
  readonly sent_at?: number
  /** How often it was sent without an answer; and how often nobody knows whether it was sent, because no record of the command exists. */
  readonly unanswered?: number
  readonly lost?: number
  /** Since when its time is up, wall ms: it fails some time later. */
  readonly overdue_at?: number
  readonly step?: UpdateStep
  /** Since when it says that the firmware is installed, or that the download has failed, wall ms. */
  readonly said_installed_at?: number
  readonly said_failed_at?: number
  /** Since when it runs a version that is neither the target nor what it ran before, wall ms. */
  readonly other_version_at?: number
  /** What it ran when the update was sent; null where it had not said. */
  readonly version_before?: string | null
  /** What it was sent to: other hardware that boots under the same id was not sent it. */
  readonly serial_number?: string
  /** What it has booted with since. */
  readonly firmware_version?: string
  readonly error?: UpdateError
  /** In words, for the operator. */
  readonly detail?: string
}

const keptMs = 400 * 24 * 3_600_000

export const firmwareRolloutsTable = defineTable<FirmwareRollout>({
  name: 'firmware_rollouts',
  key: (row) => [row.rollout_id],
  importance: 'operation',
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byStatus: (row) => [{ group: [row.organization_id, row.status] }],
  },
  retention: { milliseconds: keptMs, timeOf: (row) => timeOfId(row.rollout_id) },
})

export const rolloutChargePointsTable = defineTable<RolloutChargePoint>({
  name: 'rollout_charge_points',
  key: (row) => [row.rollout_id, row.place],
  importance: 'operation',
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byStanding: (row) => [{ group: [row.rollout_id, row.standing], order: [row.place] }],
    /** Its totals are what the failure budget of a stage is compared with. */
    ofStage: (row) => [{ group: [row.rollout_id, row.stage, row.standing] }],
    /** The one rollout that a charge point is in: it is looked up by whoever hears from the charge point. */
    open: (row) => (isEnded(row) ? [] : [{ group: [row.organization_id, row.charge_point_id] }]),
    due: (row) => (row.due_at === undefined ? [] : [{ group: [row.rollout_id], order: [row.due_at] }]),
  },
  uncounted: ['due'],
  retention: { milliseconds: keptMs, timeOf: (row) => timeOfId(row.rollout_id) },
})

const ended: ReadonlySet<Standing> = new Set(endedStandings)
const unsent: ReadonlySet<Standing> = new Set(unsentStandings)

export function isEnded({ standing }: Pick<RolloutChargePoint, 'standing'>): boolean {
  return ended.has(standing)
}

export function isUnsent({ standing }: Pick<RolloutChargePoint, 'standing'>): boolean {
  return unsent.has(standing)
}

export function statusOfUpdate({ standing, step }: Pick<RolloutChargePoint, 'standing' | 'step'>): UpdateStatus {
  switch (standing) {
    case 'installed':
      return 'installed'
    case 'failed':
    case 'gone':
      return 'failed'
    case 'updating':
      return step ?? 'sent'
    default:
      return 'pending'
  }
}

type Stages = Pick<FirmwareRollout, 'charge_point_count' | 'first_stage_size' | 'next_stage_size'>

/** Where a stage begins in the order of the charge points; stages count from 1. That of the one after the last is their number. */
export function stageBegins({ charge_point_count, first_stage_size, next_stage_size }: Stages, stage: number): number {
  if (stage <= 1) return 0
  return Math.min(charge_point_count, first_stage_size + (stage - 2) * next_stage_size)
}

export function stageSize(stages: Stages, stage: number): number {
  return stageBegins(stages, stage + 1) - stageBegins(stages, stage)
}

export function stageCount({ charge_point_count, first_stage_size, next_stage_size }: Stages): number {
  return 1 + Math.ceil(Math.max(0, charge_point_count - first_stage_size) / next_stage_size)
}

export function stageOfPlace({ first_stage_size, next_stage_size }: Stages, place: number): number {
  return place < first_stage_size ? 1 : 2 + Math.floor((place - first_stage_size) / next_stage_size)
}
