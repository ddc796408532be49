// What mails about alerts are filled with.

import { type AlertKind, type AlertSeverity, alertSeverities } from '../../alert-kinds/index.js'
import { type Alert, type AlertStatus, alertsTable, severityOf, type UnsentAlert } from '../../records/alert.js'
import type { AlertSummary, MailContent, NotedAlert } from '../../records/mail.js'
import type { Organization } from '../../records/organization.js'
import type { Context } from '../../runtime/actor/actor.js'
import { limits } from './limits.js'
import { placeOf, whereText } from './place.js'

/** `connector_faulted` as a few words. */
function wordsOf(kind: AlertKind): string {
  return kind.replaceAll('_', ' ')
}

/** Of an alert that has ended meanwhile, the mail of its beginning still reports the beginning. */
export function noticeMail(
  alert: Alert,
  status: AlertStatus,
  organization: Organization,
  context: Pick<Context, 'read'>,
): MailContent {
  const { charge_point_id, details, kind, resolved_at, triggered_at } = alert
  const place = placeOf(alert, context.read())
  const where = whereText(alert, place)
  const code = details?.error_code === undefined ? '' : ` (${details.error_code})`
  const resolved = status === 'resolved'
  return {
    type: resolved ? 'alert-resolved' : 'alert-raised',
    organizationName: organization.name,
    subject: `${wordsOf(kind)}${code}${where === '' ? '' : ` at ${where}`}`,
    message: sentence(resolved ? (alert.resolution ?? alert.message) : alert.message),
    ...(charge_point_id !== undefined && { chargePointId: charge_point_id }),
    time: resolved ? (resolved_at ?? triggered_at) : triggered_at,
    ...(organization.time_zone !== undefined && { timeZone: organization.time_zone }),
    alert: notedAlert(alert),
    ...(place !== undefined && { place }),
  }
}

function notedAlert(alert: Alert): NotedAlert {
  const { alert_id, kind, severity, status, connector_id, webhook_endpoint_id, details, triggered_at } = alert
  return {
    alertId: alert_id,
    kind,
    severity,
    lasts: status !== 'notice',
    since: details?.offline_since ?? details?.faulted_since ?? details?.failing_since ?? triggered_at,
    ...(connector_id !== undefined && { connectorId: connector_id }),
    ...(webhook_endpoint_id !== undefined && { webhookEndpointId: webhook_endpoint_id }),
    ...(details !== undefined && { details }),
  }
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}

export function summaryMail(unsent: readonly UnsentAlert[], organization: Organization, context: Context): MailContent {
  const kinds = kindsOf(unsent)
  const places = new Map(kinds.map(({ kind }, place) => [kind, place]))
  const placeOfKind = ({ kind }: UnsentAlert) => places.get(kind) ?? places.size
  const ordered = [...unsent].sort((a, b) => placeOfKind(a) - placeOfKind(b))
  const lines = ordered.slice(0, limits.alertMailLines).flatMap(({ alert_id, status }) => {
    const alert = context.read().get(alertsTable, [alert_id])
    return alert === undefined ? [] : [lineOf(alert, status, context)]
  })
  const summary: AlertSummary = {
    organizationName: organization.name,
    kinds: kinds.map(({ kind, ...counted }) => ({ name: wordsOf(kind), ...counted })),
    first: lines,
    more: unsent.length - lines.length,
    time: new Date(context.now()).toISOString(),
    ...(organization.time_zone !== undefined && { timeZone: organization.time_zone }),
  }
  return { type: 'alert-summary', ...summary }
}

interface CountedKind {
  readonly kind: AlertKind
  readonly severity: AlertSeverity
  raised: number
  resolved: number
}

/** Critical ones first, then the rarest, so that one of a kind is not lost behind an outage of many. */
function kindsOf(unsent: readonly UnsentAlert[]): readonly CountedKind[] {
  const counts = new Map<AlertKind, CountedKind>()
  for (const row of unsent) {
    const { kind, status } = row
    const count = counts.get(kind) ?? { kind, severity: severityOf(row), raised: 0, resolved: 0 }
    count[status === 'resolved' ? 'resolved' : 'raised']++
    counts.set(kind, count)
  }
  const rank = ({ severity }: CountedKind) => alertSeverities.indexOf(severity)
  return [...counts.values()].sort((a, b) => rank(a) - rank(b) || a.raised + a.resolved - b.raised - b.resolved)
}

function lineOf(alert: Alert, status: AlertStatus, context: Context): AlertSummary['first'][number] {
  const { details, kind, message, resolution, resolved_at, triggered_at } = alert
  const where = whereText(alert, placeOf(alert, context.read()))
  const about = where === '' ? wordsOf(kind) : where
  if (status === 'resolved')
    return { about, text: resolution ?? message, time: resolved_at ?? triggered_at, resolved: true }
  const codes = [details?.error_code, details?.vendor_error_code, details?.info].filter((code) => code !== undefined)
  const text = codes.length === 0 ? message : `${message} (${codes.join(', ')})`
  return { about, text, time: triggered_at, resolved: false }
}
