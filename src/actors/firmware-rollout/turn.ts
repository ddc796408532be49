// One turn of a rollout: the rows that it changes, and the counts as they are with them. What is written in a turn is not in its view.

import {
  type FirmwareRollout,
  type RolloutChargePoint,
  rolloutChargePointsTable,
  type Standing,
} from '../../records/firmware-rollout.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'

interface Changed {
  readonly before: RolloutChargePoint
  readonly now: RolloutChargePoint
}

export interface Turn {
  readonly context: Context
  /** As it is stored. */
  readonly stored: FirmwareRollout
  rollout: FirmwareRollout
  readonly changed: Map<number, Changed>
  readonly effects: Effect[]
}

export function beginTurn(stored: FirmwareRollout, context: Context): Turn {
  return { context, stored, rollout: stored, changed: new Map(), effects: [] }
}

/** The row as it is now, in this turn. */
export function rowAt({ changed, context, rollout }: Turn, place: number): RolloutChargePoint | undefined {
  return changed.get(place)?.now ?? context.read().get(rolloutChargePointsTable, [rollout.rollout_id, place])
}

export function putRow({ changed }: Turn, before: RolloutChargePoint, now: RolloutChargePoint): void {
  if (before === now) return
  changed.set(now.place, { before: changed.get(now.place)?.before ?? before, now })
}

/** How many charge points have one of the standings; of one stage, or of all. */
export function countOf({ changed, context, rollout }: Turn, standings: readonly Standing[], stage?: number): number {
  const view = context.read()
  const [index, group] =
    stage === undefined ? ['byStanding', [rollout.rollout_id]] : ['ofStage', [rollout.rollout_id, stage]]
  let total = 0
  for (const standing of standings)
    total += view.total(rolloutChargePointsTable, index as string, [...(group as string[]), standing])
  const counts = (row: RolloutChargePoint): number =>
    standings.includes(row.standing) && (stage === undefined || row.stage === stage) ? 1 : 0
  for (const { before, now } of changed.values()) total += counts(now) - counts(before)
  return total
}

/** Of a standing, in their order; those that this turn has changed are left out. */
export function listStanding(
  { changed, context, rollout }: Turn,
  standing: Standing,
  limit: number,
  before = Number.POSITIVE_INFINITY,
): readonly RolloutChargePoint[] {
  const to = before === Number.POSITIVE_INFINITY ? {} : { to: [before] }
  const rows = context.read().listBy(rolloutChargePointsTable, 'byStanding', [rollout.rollout_id, standing], {
    ...to,
    limit: limit + changed.size,
  })
  return rows.filter(({ place }) => !changed.has(place)).slice(0, limit)
}

export function changedRows({ changed }: Turn): Effect[] {
  return [...changed.values()].map(({ now }) => effect.put(rolloutChargePointsTable, now))
}
