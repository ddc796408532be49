// A rollout whose charge points are still being entered. If that comes to no end, it is removed, row by row: nobody was told of it.

import {
  type FirmwareRollout,
  firmwareRolloutsTable,
  rolloutChargePointsTable,
} from '../../records/firmware-rollout.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { wakeNoMore } from '../../runtime/actor/wake-ups.js'
import { limits } from './limits.js'
import { type FirmwareRolloutMessage, firmwareRolloutAddress, lookReason, type RolloutReply } from './messages.js'

export function incomplete(
  rollout: FirmwareRollout,
  until: number,
  message: FirmwareRolloutMessage,
  context: Context,
): readonly Effect[] {
  if (context.replyTo !== undefined) return [effect.reply(context.replyTo, { type: 'unknown' } satisfies RolloutReply)]
  if (message.type !== 'abandon' && context.confirmed() < until) return []
  const { rollout_id } = rollout
  const self = firmwareRolloutAddress(rollout_id)
  const rows = context.read().list(rolloutChargePointsTable, [rollout_id], { limit: limits.removedPerTurn })
  if (rows.length === 0) return [effect.remove(firmwareRolloutsTable, [rollout_id]), wakeNoMore(self, lookReason)]
  return [
    effect.put(firmwareRolloutsTable, { ...rollout, entered_until: Math.min(until, context.now()) }),
    ...rows.map((row) => effect.remove(rolloutChargePointsTable, rolloutChargePointsTable.key(row))),
    effect.send(self, { type: 'look' } satisfies FirmwareRolloutMessage),
  ]
}
