// SecurityEventNotification: kept as an event for whoever watches (security whitepaper, A04). Any type is taken.

import { alertTriggered } from '../events/alert.js'
import { emit } from '../events/define-event.js'
import { judgeTime } from './clock-skew.js'
import { securityEventNotification as message } from './ocpp/index.js'
import { defineHandler } from './request-handler.js'
import { aboutChargePoint } from './state.js'

export const securityEventNotification = defineHandler({
  message,
  needs: 'Pending',
  handle(state, request, context, receivedAt) {
    const data = {
      alert: 'security_event',
      charge_point_id: context.id,
      type: request.type,
      timestamp: new Date(judgeTime(request.timestamp, receivedAt).at).toISOString(),
      ...(request.techInfo !== undefined && { tech_info: request.techInfo }),
      message: `the charge point reports a security event: ${request.type}`,
    }
    return { response: {}, effects: [emit(alertTriggered, aboutChargePoint(state, context), data)] }
  },
})
