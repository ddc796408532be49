// What a mail about an alert says, raised or resolved: what, where, since when, and what to do about it.

import { alertKinds, isAlertKind } from '../../../alert-kinds/index.js'
import type { AlertNotice, ChargePointPlace, NotedAlert } from '../../../records/mail.js'
import { durationText } from '../../documents/words.js'
import { detailFacts } from './alert-details.js'
import { appPage } from './app-page.js'
import { type Part, timeText, withLocalTimes } from './layout.js'
import type { MailSurroundings } from './template.js'

type Fact = readonly [name: string, value: string]

export function alertParts(notice: AlertNotice, resolved: boolean): readonly Part[] {
  const { alert, chargePointId, message, organizationName, place, timeZone } = notice
  const facts: readonly Fact[] = [
    ...(chargePointId === undefined ? [] : [['Charge point', chargePointId] as const]),
    ...placeFacts(place),
    ...(alert?.connectorId === undefined ? [] : [['Connector', connectorText(alert.connectorId)] as const]),
    ...(alert?.webhookEndpointId === undefined ? [] : [['Webhook endpoint', alert.webhookEndpointId] as const]),
    ...detailFacts(alert?.details, timeZone),
    ...timeFacts(notice, resolved),
    ['Organization', organizationName],
    ...(alert === undefined ? [] : [['Alert', alert.alertId] as const]),
  ]
  return [
    { type: 'paragraph', text: withLocalTimes(message, timeZone) },
    { type: 'facts', facts },
  ]
}

/** What to do first, and where to see more: a page of the operator's application, or else what to ask the API. */
export function nextSteps({ alert, chargePointId }: AlertNotice, { appUrl }: MailSurroundings): readonly Part[] {
  if (alert === undefined) return []
  const kind = isAlertKind(alert.kind) ? alertKinds[alert.kind] : undefined
  const step: readonly Part[] =
    kind === undefined
      ? []
      : [{ type: 'paragraph', text: `What to do: ${filled(kind.nextStep, alert, chargePointId) ?? kind.nextStep}` }]
  if (appUrl !== undefined)
    return [...step, { type: 'link', label: 'Open the alert', url: appPage(appUrl, `alerts/${alert.alertId}`) }]
  const own = `/api/v1/alerts/${alert.alertId}`
  return [
    ...step,
    { type: 'paragraph', text: 'This request to the API shows more:' },
    { type: 'request', method: 'GET', path: filled(kind?.look, alert, chargePointId) ?? own },
    { type: 'paragraph', text: 'Acknowledge it, so that others know that you are taking care of it:' },
    { type: 'request', method: 'POST', path: `${own}/acknowledge` },
  ]
}

/** Undefined where the alert does not have what the text names in braces. */
function filled(
  text: string | undefined,
  { details, webhookEndpointId }: NotedAlert,
  chargePointId: string | undefined,
): string | undefined {
  const values: Readonly<Record<string, string | undefined>> = {
    charge_point_id: chargePointId,
    webhook_endpoint_id: webhookEndpointId,
    session_id: details?.session_id,
  }
  const isComplete = [...(text ?? '').matchAll(/\{(\w+)\}/g)].every(([, name]) => values[name as string] !== undefined)
  return isComplete ? text?.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? '')) : undefined
}

function placeFacts({ name, address, coordinates, siteId, siteName }: ChargePointPlace = {}): readonly Fact[] {
  return [
    ...(name === undefined ? [] : [['Name', name] as const]),
    ...(address === undefined ? [] : [['Address', address] as const]),
    ...(coordinates === undefined
      ? []
      : [['Coordinates', `${degrees(coordinates.latitude)}, ${degrees(coordinates.longitude)}`] as const]),
    ...(siteId === undefined ? [] : [['Site', siteName === undefined ? siteId : `${siteName} (${siteId})`] as const]),
  ]
}

/** Six decimals are about 10 cm. */
function degrees(value: number): number {
  return Number(value.toFixed(6))
}

function connectorText(connectorId: number): string {
  return connectorId === 0 ? '0 (the whole charge point)' : String(connectorId)
}

function timeFacts({ alert, time, timeZone }: AlertNotice, resolved: boolean): readonly Fact[] {
  if (alert === undefined || !alert.lasts) return [['Time', timeText(time, timeZone)]]
  const since: Fact = ['Since', timeText(alert.since, timeZone)]
  if (!resolved) return [since]
  const seconds = (Date.parse(time) - Date.parse(alert.since)) / 1_000
  return [since, ['Resolved', timeText(time, timeZone)], ['Lasted', durationText(seconds)]]
}

export function alertFooter({ organizationName }: Pick<AlertNotice, 'organizationName'>): string {
  return `You get this mail because alerts of ${organizationName} are sent to this address.`
}
