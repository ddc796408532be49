// SecurityEventNotification: kept as a notice for whoever watches (security whitepaper, A04). Any type is taken.

import { raise } from '../alerts/alert.js'
import { judgeTime } from './clock-skew.js'
import { securityEventNotification as message } from './ocpp/index.js'
import { defineHandler } from './request-handler.js'

export const securityEventNotification = defineHandler({
  message,
  needs: 'Pending',
  handle(state, request, context, receivedAt) {
    const finding = {
      kind: 'security_event' as const,
      organizationId: state.row.organization_id,
      subject: context.id,
      chargePointId: context.id,
      message: `the charge point reports a security event: ${request.type}`,
      details: {
        security_event: request.type,
        reported_at: new Date(judgeTime(request.timestamp, receivedAt).at).toISOString(),
        ...(request.techInfo !== undefined && { tech_info: request.techInfo }),
      },
    }
    return { response: {}, effects: raise(finding, context).effects }
  },
})
