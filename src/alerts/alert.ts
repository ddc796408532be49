// The one way to raise, resolve and publish an alert: its row, its event and what its mail needs, always in one commit. For actors
// they are effects, for threads without actors changes. When one is due is decided elsewhere.

import type { Static, TObject } from 'typebox'
import type { Found } from '../alert-kinds/define-kind.js'
import { type AlertDetails, type AlertKind, alertKinds } from '../alert-kinds/index.js'
import { alertEvents } from '../events/alert.js'
import { domainEvent, type EventAbout, type EventDefinition, emit } from '../events/define-event.js'
import { type Alert, alertsTable, type UnsentAlert, unsentAlertsTable } from '../records/alert.js'
import { type Context, type Effect, effect } from '../runtime/actor/actor.js'
import { eventChange } from '../runtime/actor/outbox.js'
import { assert } from '../runtime/assert.js'
import { encodeRow } from '../runtime/codec.js'
import { timeOfId } from '../runtime/ids.js'
import type { Change, ReadView } from '../runtime/store/store.js'

/** Whom an alert concerns. */
export interface AlertAbout {
  readonly organizationId: string
  /** What it is about: of one kind and subject, one alert is open at most. */
  readonly subject: string
  readonly chargePointId?: string
  readonly connectorId?: number
  readonly webhookEndpointId?: string
  /** Where it is about a site as a whole. */
  readonly siteId?: string
}

/** What was found, and whom it concerns. */
export interface Finding extends AlertAbout, Found<AlertDetails> {
  readonly kind: AlertKind
}

/** The finding of a kind: its words come from its declaration, out of the facts that it takes. */
export function finding<Facts extends readonly unknown[]>(
  kind: { readonly name: AlertKind; find(...facts: Facts): Found<AlertDetails> },
  about: AlertAbout,
  ...facts: Facts
): Finding {
  return { kind: kind.name, ...about, ...kind.find(...facts) }
}

/** Open, or a notice where its kind does not last. `now` is wall time, ms. */
export function newAlert(finding: Finding, alertId: string, now: number): Alert {
  const { kind, organizationId, subject, chargePointId, connectorId, webhookEndpointId, siteId, message, details } =
    finding
  const { severity, lasts } = alertKinds[kind]
  return {
    alert_id: alertId,
    organization_id: organizationId,
    kind,
    subject,
    status: lasts ? 'open' : 'notice',
    severity,
    ...(chargePointId !== undefined && { charge_point_id: chargePointId }),
    ...(connectorId !== undefined && { connector_id: connectorId }),
    ...(webhookEndpointId !== undefined && { webhook_endpoint_id: webhookEndpointId }),
    ...(siteId !== undefined && { site_id: siteId }),
    message,
    ...(details !== undefined && { details }),
    triggered_at: new Date(now).toISOString(),
  }
}

/** Why an alert is over whose kind an organization has switched off. */
export const notWanted = 'the organization has switched off alerts of this kind'

export function endedAlert(alert: Alert, now: number, resolution = alertKinds[alert.kind].resolution ?? ''): Alert {
  return { ...alert, status: 'resolved', resolved_at: new Date(now).toISOString(), resolution }
}

type MakeEvent<Made> = <Data extends TObject>(
  definition: EventDefinition<Data>,
  about: EventAbout,
  data: Static<Data>,
) => Made

/** The event that publishes an alert as it stands. */
function eventOf<Made>(alert: Alert, make: MakeEvent<Made>): Made {
  const { organization_id, subject, status, resolved_at, resolution, ...rest } = alert
  const about = { organizationId: organization_id, subject: alert.charge_point_id ?? subject }
  const data = { ...rest, lasts: status !== 'notice' }
  if (resolved_at === undefined) return make(alertEvents.triggered, about, data)
  return make(alertEvents.resolved, about, { ...data, message: resolution ?? alert.message, resolved_at })
}

function unsent({ organization_id, alert_id, status, kind, severity }: Alert): UnsentAlert {
  return { organization_id, alert_id, status, kind, severity }
}

/** Stores an alert that is new or has ended, and publishes it. */
export function publishAlert(alert: Alert): readonly Effect[] {
  return [effect.put(alertsTable, alert), effect.put(unsentAlertsTable, unsent(alert)), eventOf(alert, emit)]
}

/** The same for threads without actors. */
export function alertChanges(alert: Alert, now: number): readonly Change[] {
  const row = unsent(alert)
  return [
    { type: 'put', table: alertsTable.name, key: alertsTable.key(alert), row: encodeRow(alert) },
    { type: 'put', table: unsentAlertsTable.name, key: unsentAlertsTable.key(row), row: encodeRow(row) },
    eventChange(eventOf(alert, domainEvent), now),
  ]
}

/** For actors: raises it, or publishes it as a notice. */
export function raise(
  finding: Finding,
  context: Context,
): { readonly alert: Alert; readonly effects: readonly Effect[] } {
  const alert = newAlert(finding, context.newId('alr'), context.now())
  return { alert, effects: publishAlert(alert) }
}

/** For actors: nothing, where it is over already. */
export function resolve(alertId: string, context: Context, resolution?: string): readonly Effect[] {
  const alert = context.read().get(alertsTable, [alertId])
  return alert?.status === 'open' ? publishAlert(endedAlert(alert, context.now(), resolution)) : []
}

/** The open alert of a kind and subject; one read. */
export function openAlert(
  view: ReadView,
  finding: Pick<Finding, 'kind' | 'organizationId' | 'subject'>,
): Alert | undefined {
  const { kind, organizationId, subject } = finding
  const from = [organizationId, subject]
  return view.listBy(alertsTable, 'open', [kind], { from, to: [organizationId, `${subject}\0`], limit: 1 })[0]
}

const noticeEveryMs = 3_600_000

/**
 * For actors: a notice of what may happen again and again, once an hour. The subject is the actor itself, or a part of it after a slash: so
 * that one owner decides, who sees what it has stored before, and nobody else's notice is ever missed or counted.
 */
export function noticeAtMostHourly(finding: Finding, context: Context): readonly Effect[] {
  const { kind, organizationId, subject } = finding
  assert(subject === context.id || subject.startsWith(`${context.id}/`), 'a notice is about the actor itself', subject)
  const query = { reverse: true, limit: 1 }
  const last = context.read().listBy(alertsTable, 'bySubject', [organizationId, kind, subject], query)[0]
  const since = last === undefined ? noticeEveryMs : Math.abs(context.now() - timeOfId(last.alert_id))
  return since < noticeEveryMs ? [] : raise(finding, context).effects
}

/**
 * For threads without actors, that look again and again: what changes where a cause holds and no alert is open, or the other
 * way round, and then why, where it is not for what the kind says. One thread alone may ask for a kind, and must have its changes
 * on disk, or refused, before it asks again.
 */
export function standingChanges(
  view: ReadView,
  finding: Finding,
  holds: boolean,
  { now, newId }: { readonly now: number; readonly newId: (prefix: string) => string },
  resolution?: string,
): readonly Change[] {
  const open = openAlert(view, finding)
  if ((open !== undefined) === holds) return []
  return alertChanges(
    open === undefined ? newAlert(finding, newId('alr'), now) : endedAlert(open, now, resolution),
    now,
  )
}
