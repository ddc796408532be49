// Answers to commands that this actor knows nothing of any more: it was loaded anew since they were sent. Their records say whether they are waited for still.

import { commandsTable } from '../../records/command.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { commandRouterAddress } from '../messages/command.js'
import { type CallAnswer, latePayload } from './call-queue.js'
import type { State } from './state.js'

const none: readonly Effect[] = []
const longestCommandId = 64

/** Told to the router where it is the first answer to a command that was sent to this charge point and has timed out. */
export function answeredAfterwards(
  { calls, row }: State,
  messageId: string,
  answer: CallAnswer,
  context: Context,
): readonly Effect[] {
  const isKnown = calls.outstanding?.call.commandId === messageId || calls.late?.has(messageId) === true
  if (isKnown || !messageId.startsWith('cmd_') || messageId.length > longestCommandId) return none
  const record = context.read().get(commandsTable, [messageId])
  if (record?.charge_point_id !== context.id || record.organization_id !== row.organization_id) return none
  if (record.status !== 'Timeout' || record.late_response !== undefined) return none
  const router = commandRouterAddress(row.organization_id)
  return [effect.answer(router, { type: 'late-answer', commandId: messageId, payload: latePayload(answer) })]
}
