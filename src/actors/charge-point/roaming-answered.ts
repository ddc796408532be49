// Answers a charge point when roaming partners have said whether a driver may charge, or have not in time. A StartTransaction is stored whatever they say.

import type { OcpiAuthorizationResult } from '../../ocpi/authorization-call.js'
import { endedCall } from '../../ocpi/ended-call.js'
import { ocpiExchangesTable } from '../../records/ocpi-exchange.js'
import { ocpiAnswersTable } from '../../records/ocpi-token.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { answerWith } from './answer-with.js'
import { type Authorization, authorizationOf, authorizeByRule } from './authorization.js'
import { answerAuthorize } from './authorize.js'
import { keepWithin } from './keep-within.js'
import { chargePointAddress } from './messages.js'
import { type AnswerChange, conclude, type Shown } from './roaming.js'
import type { RoamingAnsweredMessage } from './roaming-messages.js'
import { beginTransaction } from './start-transaction.js'
import { registeredFor, type State } from './state.js'

export function roamingAnswered(state: State, message: RoamingAnsweredMessage, context: Context): readonly Effect[] {
  const { organizationId, waiting, to, receivedAt, isTold } = message
  if (isTold !== true) state.asking = Math.max(0, state.asking - 1)
  // It was another organization's, or has been removed: whoever has it now is not answered what that one asked.
  if (organizationId !== state.row.organization_id || !registeredFor(state, 'Accepted')) return []
  const { authorization, answers } = authorizedBy(state, message, context)
  if (waiting.by === 'card') {
    const { response, effects = [] } = answerAuthorize(state, waiting.request, authorization, context)
    // The driver does not wait for the disk: what is written only tells of it.
    if (isTold !== true)
      return [
        effect.send(chargePointAddress(context.id), { ...message, isTold: true }),
        ...answerWith({ response }, to),
      ]
    return kept([...answers.flatMap(keep), ...logged(state, message, context), ...effects])
  }
  const answered = beginTransaction(state, waiting.request, authorization, context, receivedAt)
  return kept([...answers.flatMap(keep), ...logged(state, message, context), ...answerWith(answered, to)])

  function kept(effects: readonly Effect[]): readonly Effect[] {
    return keepWithin(state, effects, JSON.stringify(waiting.request).length, context)
  }
}

function authorizedBy(
  { row }: State,
  { waiting, question, outcome }: RoamingAnsweredMessage,
  context: Context,
): { readonly authorization: Authorization; readonly answers: readonly AnswerChange[] } {
  const { idTag } = waiting.request
  const view = context.read()
  const shown: Shown = {
    chargePoint: row,
    idTag,
    now: context.now(),
    ...(waiting.by === 'start' && { connectorId: waiting.connectorId }),
  }
  const outcomes = outcome.ok ? (outcome.value as OcpiAuthorizationResult).outcomes : []
  const { decision, answers } = conclude(view, shown, question, outcomes)
  const authorization =
    decision === undefined ? authorizeByRule(view, row, idTag, shown.now) : authorizationOf(decision)
  return { authorization, answers }
}

/** Another charge point may have had an answer about the same driver meanwhile: this one is handled again then. */
function keep({ before, is }: AnswerChange): readonly Effect[] {
  const row = is ?? before
  if (row === undefined) return []
  const { name: table, key: keyOf } = ocpiAnswersTable
  const key = keyOf(row)
  const asRead =
    before === undefined
      ? ({ table, key, is: 'absent' } as const)
      : ({ table, key, is: 'version', version: before.version } as const)
  const change = is === undefined ? effect.remove(ocpiAnswersTable, key) : effect.put(ocpiAnswersTable, is)
  return [effect.require(asRead), change]
}

/** In the partners' logs. */
function logged(state: State, { question, outcome }: RoamingAnsweredMessage, context: Context): readonly Effect[] {
  if (!outcome.ok) return []
  return (outcome.value as OcpiAuthorizationResult).outcomes.flatMap((one, index) => {
    const call = question.calls[index]
    if (one === undefined || call === undefined) return []
    const ended = endedCall(call, 'tokens', one, context.now())
    const row = state.exchanges.note(ended, context.read(), context.monotonic())
    return row === undefined ? [] : [effect.note(ocpiExchangesTable, row)]
  })
}
