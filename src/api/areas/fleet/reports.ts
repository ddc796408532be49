// What is read beside the rows of a fleet to see what needs attention: refused connections of the last hour, and security events of the last day.

import { isRefusalReason, refusalReasons } from '../../../edge/refusal-reasons.js'
import { alertsTable } from '../../../records/alert.js'
import { connectionAttemptsTable } from '../../../records/connection-attempt.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Reports } from './cause.js'
import { limits } from './limits.js'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export function reportsOf(view: ReadView, organizationId: string, now: number): Reports {
  const newest = { reverse: true, limit: limits.attemptsRead }
  const refused = view
    .listBy(connectionAttemptsTable, 'byOrganization', [organizationId], newest)
    // Who is asked to come later was not refused.
    .filter(({ http_status, is_unknown }) => http_status !== 503 && is_unknown !== true)
    .map(({ charge_point_id, reason, advice, attempted_at }) => ({
      chargePointId: charge_point_id,
      reason,
      // What the charge point was answered is written for whoever reads its log.
      advice: isRefusalReason(reason) ? refusalReasons[reason].cause : advice,
      at: Date.parse(attempted_at),
    }))
    .filter(({ at }) => now - at < hourMs)
  const notices = { reverse: true, limit: limits.noticesRead }
  const security = view
    .listBy(alertsTable, 'byKind', [organizationId, 'security_event'], notices)
    .filter(({ seen, triggered_at }) => seen !== true && now - Date.parse(triggered_at) < dayMs)
    .flatMap(({ charge_point_id, details, triggered_at }) =>
      charge_point_id === undefined
        ? []
        : [
            {
              chargePointId: charge_point_id,
              event: details?.security_event ?? 'an event',
              at: Date.parse(triggered_at),
            },
          ],
    )
  return { refused, security }
}
