// Authorize: may this tag charge here (OCPP 1.6, 4.1)?

import { effect } from '../../runtime/actor.js'
import { authorizeIdTag } from './authorization.js'
import { authorize as message } from './ocpp/index.js'
import { defineHandler } from './request-handler.js'

export const authorize = defineHandler({
  message,
  needs: 'Accepted',
  handle(state, request, context) {
    const organizationId = state.row.organization_id
    const { info } = authorizeIdTag(context.read(), organizationId, request.idTag, context.now())
    if (info.status !== 'Accepted') return { response: { idTagInfo: info } }
    const data = { charge_point_id: context.id, id_tag: request.idTag, authorization_method: 'rfid' }
    const event = { event: 'session.authorized', organizationId, subject: context.id, data }
    return { response: { idTagInfo: info }, effects: [effect.event(event)] }
  },
})
