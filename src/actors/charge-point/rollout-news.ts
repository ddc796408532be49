// Word of a charge point for the firmware rollout that it is in, if it is in one, and what that rollout wants of it. The word is stored with what it
// is about, and sent at once as well.

import { firmwareRolloutsTable, rolloutChargePointsTable } from '../../records/firmware-rollout.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { wakeAfter } from '../../runtime/actor/wake-ups.js'
import { type ChargePointNews, firmwareRolloutAddress, reasonOfNews } from '../messages/firmware-rollout.js'

/** `organizationId`: whose charge point it is, or was until now. */
export function tellRollout(
  organizationId: string,
  news: Omit<ChargePointNews, 'place'>,
  context: Context,
): readonly Effect[] {
  const group = [organizationId, context.id]
  const [row] = context.read().listBy(rolloutChargePointsTable, 'open', group, { limit: 1 })
  if (row === undefined) return []
  const reason = reasonOfNews({ ...news, place: row.place })
  const to = firmwareRolloutAddress(row.rollout_id)
  return [wakeAfter(to, reason, 0, context), effect.send(to, { type: 'wake-up', reason })]
}

/** A session has ended: a rollout that waits for that looks whether it can send the update now. */
export function tellRolloutOfEnd(organizationId: string, context: Context): readonly Effect[] {
  const group = [organizationId, context.id]
  const [row] = context.read().listBy(rolloutChargePointsTable, 'open', group, { limit: 1 })
  return row?.standing === 'charging' ? tellRollout(organizationId, {}, context) : []
}

/** The version that it is to boot with, where a rollout that names one may have sent it its update. */
export function versionAwaited(organizationId: string, context: Context): string | undefined {
  const view = context.read()
  const [row] = view.listBy(rolloutChargePointsTable, 'open', [organizationId, context.id], { limit: 1 })
  if (row?.first_sent_at === undefined) return undefined
  return view.get(firmwareRolloutsTable, [row.rollout_id])?.target_version
}
