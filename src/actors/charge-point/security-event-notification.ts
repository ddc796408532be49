// SecurityEventNotification: kept as a notice for whoever watches (security whitepaper, A04). Any type is taken.

import { securityEvent } from '../../alert-kinds/security-event.js'
import { type Finding, finding, raise } from '../../alerts/alert.js'
import { securityEventNotification as message } from '../../ocpp16/index.js'
import { alertsTable } from '../../records/alert.js'
import type { Context } from '../../runtime/actor/actor.js'
import { judgeTime } from './clock-skew.js'
import { defineHandler } from './request-handler.js'

export const securityEventNotification = defineHandler({
  message,
  needs: 'Pending',
  handle(state, request, context, receivedAt) {
    const about = { organizationId: state.row.organization_id, subject: context.id, chargePointId: context.id }
    const found = finding(securityEvent, about, {
      type: request.type,
      reportedAt: new Date(judgeTime(request.timestamp, receivedAt).at).toISOString(),
      techInfo: request.techInfo,
    })
    return { response: {}, effects: isRepeated(found, context) ? [] : raise(found, context).effects }
  },
})

const recentEvents = 20

/** Charge points queue these messages, and send again what was not answered. */
function isRepeated({ organizationId, kind, subject, details }: Finding, context: Context): boolean {
  return context
    .read()
    .listBy(alertsTable, 'bySubject', [organizationId, kind, subject], { reverse: true, limit: recentEvents })
    .some(
      ({ details: told }) =>
        told?.security_event === details?.security_event &&
        told?.reported_at === details?.reported_at &&
        told?.tech_info === details?.tech_info,
    )
}
