// What the commissioning of a charge point is sent word of: that it connects, and that it has sent what a TriggerMessage has asked it for. The
// commissioning does not ask for either all the time.

import { triggerMessage } from '../../ocpp16/index.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { wakeUpsTable } from '../../runtime/actor/wake-ups.js'
import {
  commissioningAddress,
  commissioningKind,
  type LookMessage,
  lookReason,
  type ReportedMessage,
} from '../messages/commissioning.js'
import { limits } from './limits.js'
import type { CallMessage } from './messages.js'
import type { State } from './state.js'

const none: readonly Effect[] = []

export function resumeCommissioning(state: State, context: Context): readonly Effect[] {
  return toCommissioning(state, { type: 'look' }, context)
}

function toCommissioning(
  { registration }: State,
  message: LookMessage | ReportedMessage,
  context: Context,
): readonly Effect[] {
  // Only charge points that an installer has registered are commissioned.
  if (registration?.installed === undefined) return none
  const isAtWork = context.read().get(wakeUpsTable, [commissioningKind, context.id, lookReason]) !== undefined
  return isAtWork ? [effect.send(commissioningAddress(context.id), message)] : none
}

/** The wait in the queue for calls included. */
const reportWithinMs = 60_000

/** It is about to be asked for a message: word of the next one is sent, and of no more. */
export function noteTrigger(
  { registration, triggered }: State,
  { action, payload }: Pick<CallMessage, 'action' | 'payload'>,
  context: Context,
): void {
  if (action !== triggerMessage.action || registration?.installed === undefined) return
  if (triggered.size >= limits.triggered) triggered.clear()
  triggered.set(nameOf(payload.requestedMessage, payload.connectorId), context.monotonic() + reportWithinMs)
}

export function reportedOnRequest(
  state: State,
  action: string,
  connectorId: number | undefined,
  context: Context,
): readonly Effect[] {
  const name = nameOf(action, connectorId)
  const until = state.triggered.get(name)
  if (until === undefined) return none
  state.triggered.delete(name)
  if (context.monotonic() > until) return none
  const message: ReportedMessage = { type: 'reported', action, ...(connectorId !== undefined && { connectorId }) }
  return toCommissioning(state, message, context)
}

function nameOf(action: unknown, connectorId: unknown = 'all'): string {
  return `${action}/${connectorId}`
}
