// What a failure concerns among the commands of an organization: those of the charge point that it happened with, or the bulk commands.
// All others go on, with whoever waits for them.

import type { ActorParts, ReplyAddress } from '../../runtime/actor/actor.js'
import type { CommandRouterMessage } from './messages.js'
import type { CommandRouterState } from './state.js'

/** No charge point has this id: it has a character that none may have. */
export const bulkPart = 'bulk commands'
const recordingPart = 'recording of commands'
export const listPart = 'list of waiting commands'

export const commandParts: ActorParts<CommandRouterState, CommandRouterMessage> = {
  of(message, state) {
    switch (message.type) {
      case 'execute':
        return message.chargePointId
      case 'execute-bulk':
        return bulkPart
      case 'interrupted':
      case 'record-room':
        return recordingPart
      case 'list-waiting':
        return listPart
      case 'call-ended':
      case 'deadline':
      case 'late-answer': {
        const { commandId } = message
        const begun = state?.running.get(commandId)?.begun ?? state?.timedOut.get(commandId)?.record
        return begun?.charge_point_id ?? commandId
      }
    }
  },
  forget(state, part) {
    const { running, bulks, timedOut } = state
    const lost = new Set(part === bulkPart ? bulks.keys() : [])
    for (const { begun, waiter } of running.values())
      if (begun.charge_point_id === part && waiter.type === 'bulk') lost.add(waiter.bulkId)
    for (const [commandId, { record }] of timedOut) if (record.charge_point_id === part) timedOut.delete(commandId)
    return [...forgetRunning(state, part, lost), ...[...lost].flatMap((bulkId) => forgetBulk(state, bulkId))]
  },
}

/** Whoever is told that a command was interrupted has it recorded so: it is as unknown here as one of an earlier life. */
function forgetRunning(
  { running, begun: seen }: CommandRouterState,
  part: string,
  bulks: ReadonlySet<string>,
): readonly ReplyAddress[] {
  const askers: ReplyAddress[] = []
  for (const [commandId, { begun, waiter }] of running) {
    if (begun.charge_point_id !== part && !(waiter.type === 'bulk' && bulks.has(waiter.bulkId))) continue
    running.delete(commandId)
    seen.forget(commandId)
    if (waiter.type === 'asker' && waiter.replyTo !== undefined) askers.push(waiter.replyTo)
  }
  return askers
}

function forgetBulk({ bulks, begun: seen }: CommandRouterState, bulkId: string): readonly ReplyAddress[] {
  const bulk = bulks.get(bulkId)
  bulks.delete(bulkId)
  for (const { commandId } of bulk?.message.targets ?? []) seen.forget(commandId)
  return bulk?.replyTo === undefined ? [] : [bulk.replyTo]
}
