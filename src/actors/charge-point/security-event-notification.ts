// SecurityEventNotification: kept as an event for whoever watches (security whitepaper, A04). Any type is taken.

import { effect } from '../../runtime/actor.js'
import { judgeTime } from './clock-skew.js'
import { securityEventNotification as message } from './ocpp/index.js'
import { defineHandler } from './request-handler.js'

export const securityEventNotification = defineHandler({
  message,
  needs: 'Pending',
  handle(state, request, context, receivedAt) {
    const data = {
      alert: 'security_event',
      charge_point_id: context.id,
      type: request.type,
      timestamp: new Date(judgeTime(request.timestamp, receivedAt).at).toISOString(),
      tech_info: request.techInfo,
    }
    const event = { event: 'alert.triggered', organizationId: state.row.organization_id, subject: context.id, data }
    return { response: {}, effects: [effect.event(event)] }
  },
})
