// Authorize: may this tag charge here (OCPP 1.6, 4.1)?

import { authorize as message } from '../../ocpp16/index.js'
import { chargePointStatesTable } from '../../records/charge-point-state.js'
import { authMethodOf, isNewlyAuthorized } from './auth-method.js'
import { authorizeByStore, authorizeIdTag } from './authorization.js'
import { defineHandler } from './request-handler.js'
import { sessionAuthorized } from './session-events.js'
import { noteUnknownTag } from './unknown-tags.js'

export const authorize = defineHandler({
  message,
  needs: 'Accepted',
  handle(state, request, context) {
    const { row } = state
    const { info, known } = authorizeIdTag(state, request.idTag, context)
    const seen = known ? [] : noteUnknownTag(row.organization_id, request.idTag, context)
    if (info.status !== 'Accepted') return { response: { idTagInfo: info }, effects: seen }
    const method = authMethodOf(state, request.idTag, context)
    // A charge point that asks for a remotely started tag has told of it: its start will not be told again.
    isNewlyAuthorized(state, request.idTag, context)
    return {
      response: { idTagInfo: info },
      effects: [sessionAuthorized(state, request.idTag, method, context), ...seen],
    }
  },
  // A driver is not turned away because the disk is full: what is written here only tells of it.
  withoutStore(request, context) {
    const view = context.read()
    const row = view.get(chargePointStatesTable, [context.id])
    if (row?.registration !== 'Accepted') return undefined
    return { idTagInfo: authorizeByStore(view, row, request.idTag, context.now()).info }
  },
})
