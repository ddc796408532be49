// SecurityEventNotification: kept as a notice for whoever watches (security whitepaper, A04). Any type is taken.

import { securityEvent } from '../../alert-kinds/security-event.js'
import { type Finding, finding, raise } from '../../alerts/alert.js'
import { securityEventNotification as message } from '../../ocpp16/index.js'
import { maskText } from '../../ocpp16/masked-frame.js'
import { type Alert, alertsTable } from '../../records/alert.js'
import type { Context } from '../../runtime/actor/actor.js'
import { timeOfId } from '../../runtime/ids.js'
import { withoutUnprintable } from '../../runtime/one-line.js'
import { judgeTime } from './clock-skew.js'
import { limits } from './limits.js'
import { defineHandler } from './request-handler.js'
import { countLeftOut } from './statistics.js'

export const securityEventNotification = defineHandler({
  message,
  needs: 'Pending',
  handle(state, request, context, receivedAt) {
    const about = { organizationId: state.row.organization_id, subject: context.id, chargePointId: context.id }
    const found = finding(securityEvent, about, {
      type: readable(request.type, limits.securityEventTypeCharacters),
      reportedAt: new Date(judgeTime(request.timestamp, receivedAt).at).toISOString(),
      techInfo: request.techInfo && readable(request.techInfo, limits.securityEventInfoCharacters),
    })
    const recent = recentEvents(found, context)
    if (recent.some(({ details }) => isSame(details, found.details))) return { response: {} }
    if (isTooMany(recent, context)) {
      countLeftOut('security_event')
      return { response: {} }
    }
    return { response: {}, effects: raise(found, context).effects }
  },
})

/** Whoever reads alerts reads it: it says what has happened, and is any text, secrets of the charge point among it. */
function readable(text: string, characters: number): string {
  return maskText(withoutUnprintable(text)).slice(0, characters)
}

/** The newest first. */
function recentEvents({ organizationId, kind, subject }: Finding, context: Context): readonly Alert[] {
  const query = { reverse: true, limit: limits.securityEventsPerHour }
  return context.read().listBy(alertsTable, 'bySubject', [organizationId, kind, subject], query)
}

/** Charge points queue these messages, and send again what was not answered. */
function isSame(told: Alert['details'], found: Finding['details']): boolean {
  return (
    told?.security_event === found?.security_event &&
    told?.reported_at === found?.reported_at &&
    told?.tech_info === found?.tech_info
  )
}

const hourMs = 3_600_000

/** Whether as many have been raised within the hour as may be. */
function isTooMany(recent: readonly Alert[], context: Context): boolean {
  const oldest = recent[limits.securityEventsPerHour - 1]
  return oldest !== undefined && Math.abs(context.now() - timeOfId(oldest.alert_id)) < hourMs
}
