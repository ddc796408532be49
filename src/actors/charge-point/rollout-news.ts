// Word of a charge point for the firmware rollout that it is in, if it is in one. It is stored with what it is about, and sent at once as well.

import { rolloutChargePointsTable } from '../../records/firmware-rollout.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { wakeAt } from '../../runtime/actor/wake-ups.js'
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
  return [wakeAt(to, reason, context.now()), effect.send(to, { type: 'wake-up', reason })]
}
