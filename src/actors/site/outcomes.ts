// What has come of what was sent to a charge point: an answer, or word that none came.

import type { Context, Effect } from '../../runtime/actor/actor.js'
import type { CallOutcome } from '../messages/command.js'
import { tellBinder } from './bounds.js'
import { connectorOf, hasBootedSince } from './counted.js'
import { limits } from './limits.js'
import { askAgain, takeHeld } from './memory.js'
import { takeClear } from './others.js'
import { takeAnswer } from './sending.js'
import type { ChargerState, Sent, SiteState } from './state.js'

/** What is asked of the charge point next; undefined where nobody waits for the answer any more. */
export function takeOutcome(
  state: SiteState,
  { commandId, outcome }: { readonly commandId: string; readonly outcome: CallOutcome },
  context: Context,
): readonly Effect[] | undefined {
  const sent = state.sent.get(commandId)
  if (sent === undefined) return undefined
  state.sent.delete(commandId)
  const charger = state.chargers.get(sent.chargePointId)
  return charger === undefined ? undefined : taken(state, charger, sent, outcome, context)
}

function taken(
  state: SiteState,
  charger: ChargerState,
  sent: Sent,
  outcome: CallOutcome,
  context: Context,
): readonly Effect[] {
  switch (sent.type) {
    case 'limit': {
      const hadBooted = hasBootedSince(charger)
      const before = connectorOf(charger, sent.connectorId)?.limit.amperes
      takeAnswer(charger, sent, outcome, context)
      const isOther = connectorOf(charger, sent.connectorId)?.limit.amperes !== before
      return [
        ...(hadBooted && !hasBootedSince(charger) ? askAgain(state, charger, context) : []),
        ...(isOther ? tellBinder(charger, sent.sessionId) : []),
      ]
    }
    case 'clear':
      takeClear(charger, sent, outcome, context)
      return []
    case 'question':
      return takeHeld(state, charger, sent, outcome, context)
  }
}

/** Whose charge point's actor died with the question: nothing is heard of them any more. */
export function giveUpUnanswered(state: SiteState, context: Context): void {
  for (const [commandId, { sentAt }] of [...state.sent])
    if (context.monotonic() - sentAt > limits.limitAnswersMs * 2)
      takeOutcome(state, { commandId, outcome: { type: 'timeout' } }, context)
}
