// When a rollout is over, when it has to stop itself, and what is published of it.

import { firmwareRolloutStopped } from '../../alert-kinds/firmware-rollout-stopped.js'
import { finding, raise } from '../../alerts/alert.js'
import { emit } from '../../events/define-event.js'
import {
  firmwareUpdateFailed,
  rolloutCompleted,
  rolloutFailed,
  rolloutPaused,
  rolloutStageStarted,
} from '../../events/firmware.js'
import { redactUrl } from '../../ocpp16/secrets.js'
import {
  endedStandings,
  type FirmwareRollout,
  type RolloutReason,
  type Standing,
  stageCount,
  stageSize,
  underWayStandings,
  unsentStandings,
} from '../../records/firmware-rollout.js'
import { countOf, type Turn } from './turn.js'

const iso = (now: number): string => new Date(now).toISOString()

/** What follows from the rows that the turn has changed. */
export function settle(turn: Turn): void {
  for (const { before, now: row } of turn.changed.values()) {
    if (row.standing === before.standing || (row.standing !== 'failed' && row.standing !== 'gone')) continue
    const { charge_point_id, organization_id, rollout_id, error = 'refused', detail, firmware_version } = row
    const about = { organizationId: organization_id, subject: charge_point_id }
    const shown = { detail: detail ?? null, firmware_version: firmware_version ?? null }
    turn.effects.push(emit(firmwareUpdateFailed, about, { charge_point_id, rollout_id, error, ...shown }))
    if (row.standing === 'failed') spendBudget(turn, row.stage)
  }
  const { status } = turn.rollout
  if (status !== 'in_progress' && status !== 'paused') return
  if (countOf(turn, openStandings) === 0) end(turn, 'completed')
  else watchSoak(turn)
}

function spendBudget(turn: Turn, stage: number): void {
  const { rollout, context } = turn
  const { rollout_id, max_failure_percent } = rollout
  if (rollout.status !== 'in_progress' && rollout.status !== 'paused') return
  const failed = countOf(turn, ['failed'], stage)
  const chargePoints = stageSize(rollout, stage)
  if (failed * 100 <= max_failure_percent * chargePoints) return
  end(turn, 'failed', 'failure_budget')
  const about = { organizationId: rollout.organization_id, subject: rollout_id }
  const facts = { rolloutId: rollout_id, stage, failed, chargePoints, maxFailurePercent: max_failure_percent }
  turn.effects.push(...raise(finding(firmwareRolloutStopped, about, facts), context).effects)
}

/** Once the newest stage has ended, it is watched for a while before the next begins by itself. */
function watchSoak(turn: Turn): void {
  const { soak_minutes, soaks_until, ...rest } = turn.rollout
  if (soak_minutes === undefined || rest.status !== 'in_progress') return
  if (rest.started_stages >= stageCount(turn.rollout)) return
  const isOver = isStageOver(turn) && countOf(turn, ['installed'], rest.started_stages) > 0
  if (isOver === (soaks_until !== undefined)) return
  const until = turn.context.now() + soak_minutes * 60_000
  turn.rollout = { ...rest, soak_minutes, ...(isOver && { soaks_until: until }) }
}

export const openStandings: readonly Standing[] = [...unsentStandings, ...underWayStandings]

/** Whether each charge point of the newest stage has ended, but for those that are away. */
export function isStageOver(turn: Turn): boolean {
  const here = openStandings.filter((standing) => standing !== 'offline')
  return countOf(turn, here, turn.rollout.started_stages) === 0
}

/** The same, and at least one has ended: where all are away, the stage has shown nothing yet. */
export function hasEnded(turn: Turn): boolean {
  return isStageOver(turn) && countOf(turn, endedStandings, turn.rollout.started_stages) > 0
}

export function startStage(turn: Turn): void {
  const { soaks_until: _, paused_at: __, pause_reason: ___, ...rest } = turn.rollout
  const now = iso(turn.context.now())
  const stage = rest.started_stages + 1
  turn.rollout = { ...rest, status: 'in_progress', started_stages: stage, started_at: rest.started_at ?? now }
  const data = { ...shown(turn.rollout), stage, stages: stageCount(turn.rollout), started_at: now }
  turn.effects.push(emit(rolloutStageStarted, aboutRollout(turn.rollout), data))
}

export function pause(turn: Turn, reason: string | undefined): void {
  const paused_at = iso(turn.context.now())
  const { soaks_until: _, ...rest } = turn.rollout
  turn.rollout = { ...rest, status: 'paused', paused_at, ...(reason !== undefined && { pause_reason: reason }) }
  const data = { ...shown(turn.rollout), reason: reason ?? null, paused_at }
  turn.effects.push(emit(rolloutPaused, aboutRollout(turn.rollout), data))
}

export function resume(turn: Turn): void {
  const { paused_at: _, pause_reason: __, ...rest } = turn.rollout
  turn.rollout = { ...rest, status: 'in_progress' }
}

export function end(turn: Turn, status: 'completed' | 'failed', reason?: RolloutReason): void {
  const { soaks_until: _, paused_at: __, pause_reason: ___, ...rest } = turn.rollout
  const completed_at = iso(turn.context.now())
  turn.rollout = { ...rest, status, completed_at, ...(reason !== undefined && { reason }) }
  const counts = {
    installed: countOf(turn, ['installed']),
    failed: countOf(turn, ['failed', 'gone']),
    charge_points: rest.charge_point_count,
  }
  const data = { ...shown(turn.rollout), ...counts, completed_at }
  const about = aboutRollout(turn.rollout)
  turn.effects.push(
    reason === undefined ? emit(rolloutCompleted, about, data) : emit(rolloutFailed, about, { ...data, reason }),
  )
}

function aboutRollout({ organization_id, rollout_id }: FirmwareRollout) {
  return { organizationId: organization_id, subject: rollout_id }
}

function shown({ rollout_id, strategy, firmware_url }: FirmwareRollout) {
  return { rollout_id, strategy, firmware_url: redactUrl(firmware_url) }
}
