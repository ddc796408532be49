// What mails about alerts are filled with.

import type { Context } from '../../runtime/actor.js'
import { limits } from '../../runtime/limits.js'
import { type Alert, type AlertStatus, alertsTable, type UntoldAlert } from '../records/alert.js'
import type { AlertKind } from '../records/alert-kinds.js'
import type { AlertSummary, MailContent } from '../records/mail.js'
import type { Organization } from '../records/organization.js'

/** `connector_faulted` as a few words. */
function wordsOf(kind: AlertKind): string {
  return kind.replaceAll('_', ' ')
}

/** Of an alert that has ended meanwhile, the mail of its beginning still tells the beginning. */
export function noticeMail(alert: Alert, status: AlertStatus, organization: Organization): MailContent {
  const { charge_point_id, connector_id, kind, resolved_at, triggered_at } = alert
  const connector = connector_id === undefined ? '' : `, connector ${connector_id}`
  const which = charge_point_id === undefined ? '' : ` at ${charge_point_id}${connector}`
  const resolved = status === 'resolved'
  return {
    type: resolved ? 'alert-resolved' : 'alert-raised',
    organizationName: organization.name,
    subject: `${wordsOf(kind)}${which}`,
    message: sentence(resolved ? (alert.resolution ?? alert.message) : alert.message),
    ...(charge_point_id !== undefined && { chargePointId: charge_point_id }),
    time: resolved ? (resolved_at ?? triggered_at) : triggered_at,
    ...(organization.time_zone !== undefined && { timeZone: organization.time_zone }),
  }
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}

export function summaryMail(untold: readonly UntoldAlert[], organization: Organization, context: Context): MailContent {
  const counts = new Map<AlertKind, { raised: number; resolved: number }>()
  for (const { kind, status } of untold) {
    const count = counts.get(kind) ?? { raised: 0, resolved: 0 }
    count[status === 'resolved' ? 'resolved' : 'raised']++
    counts.set(kind, count)
  }
  const lines = untold.slice(0, limits.alertMailLines).flatMap(({ alert_id, status }) => {
    const alert = context.read().get(alertsTable, [alert_id])
    return alert === undefined ? [] : [lineOf(alert, status)]
  })
  const summary: AlertSummary = {
    organizationName: organization.name,
    kinds: [...counts].map(([kind, count]) => ({ name: wordsOf(kind), ...count })),
    first: lines,
    more: untold.length - lines.length,
    time: new Date(context.now()).toISOString(),
    ...(organization.time_zone !== undefined && { timeZone: organization.time_zone }),
  }
  return { type: 'alert-summary', ...summary }
}

function lineOf(alert: Alert, status: AlertStatus): AlertSummary['first'][number] {
  const about = alert.charge_point_id ?? wordsOf(alert.kind)
  return { about, text: status === 'resolved' ? `resolved: ${alert.resolution ?? alert.message}` : alert.message }
}
