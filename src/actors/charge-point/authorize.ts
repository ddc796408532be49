// Authorize: may this tag charge here (OCPP 1.6, 4.1)?

import { type AuthorizeRequest, type AuthorizeResponse, authorize as message } from '../../ocpp16/index.js'
import { chargePointStatesTable } from '../../records/charge-point-state.js'
import type { Context } from '../../runtime/actor/actor.js'
import { askPartners } from './ask-partners.js'
import { authMethodOf, isNewlyAuthorized } from './auth-method.js'
import { type Authorization, authorizeByStore, authorizeOrAsk } from './authorization.js'
import { type Answer, defineHandler } from './request-handler.js'
import { sessionAuthorized } from './session-events.js'
import type { State } from './state.js'
import { noteUnknownTag } from './unknown-tags.js'

export const authorize = defineHandler({
  message,
  needs: 'Accepted',
  handle(state, request, context, receivedAt) {
    const found = authorizeOrAsk(state, request.idTag, context)
    if (!('question' in found)) return answerAuthorize(state, request, found, context)
    return askPartners(state, { by: 'card', request }, receivedAt, found.question)
  },
  // A driver is not turned away because the disk is full: what is written here only tells of it.
  withoutStore(request, context) {
    const view = context.read()
    const row = view.get(chargePointStatesTable, [context.id])
    if (row?.registration !== 'Accepted') return undefined
    return { idTagInfo: authorizeByStore(view, row, request.idTag, context.now()).info }
  },
})

export function answerAuthorize(
  state: State,
  request: AuthorizeRequest,
  { info, known }: Authorization,
  context: Context,
): Answer<AuthorizeResponse> {
  const { row } = state
  const seen = known ? [] : noteUnknownTag(row.organization_id, request.idTag, context)
  if (info.status !== 'Accepted') return { response: { idTagInfo: info }, effects: seen }
  const method = authMethodOf(state, request.idTag, context)
  // A charge point that asks for a remotely started tag has told of it: its start will not be told again.
  isNewlyAuthorized(state, request.idTag, context)
  return {
    response: { idTagInfo: info },
    effects: [sessionAuthorized(state, request.idTag, method, context), ...seen],
  }
}
