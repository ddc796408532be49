// An alert: something that a person should look at, open until its cause is gone; or a notice, which nothing ends. Kept for a
// year after its end. Written by whoever finds its cause, and by nobody else: for charge points and webhook endpoints their
// actors, for the installation one thread.

import type { AlertDetails, AlertKind, AlertSeverity } from '../alert-kinds/index.js'
import { timeOfId } from '../runtime/ids.js'
import { defineTable } from '../runtime/store/table.js'

export const alertStatuses = ['open', 'resolved', 'notice'] as const
export type AlertStatus = (typeof alertStatuses)[number]

export interface Alert {
  readonly alert_id: string
  readonly organization_id: string
  readonly kind: AlertKind
  /** What it is about: of one kind and subject, one alert is open at most. */
  readonly subject: string
  readonly status: AlertStatus
  readonly severity: AlertSeverity
  readonly charge_point_id?: string
  readonly connector_id?: number
  readonly webhook_endpoint_id?: string
  /** Of one about a site as a whole; one about a charge point is of the site where that is now. */
  readonly site_id?: string
  readonly message: string
  readonly details?: AlertDetails
  readonly triggered_at: string
  readonly resolved_at?: string
  /** Why it is over. */
  readonly resolution?: string
  /** Of a notice that somebody has acknowledged. Written by the API, when nobody else writes it any more. */
  readonly seen?: true
}

const yearMs = 365 * 24 * 3_600_000

const isOpen = (row: Alert): boolean => row.status === 'open'

/** What somebody should look at: nothing ends a notice but that somebody has. */
const isCurrent = (row: Alert): boolean => isOpen(row) || (row.status === 'notice' && row.seen !== true)

/** The one group of `byCurrent` in each organization. */
export const currentAlerts = 'current'

export const alertsTable = defineTable<Alert>({
  // Not `alerts`: a store of 0.1.0 has rows of another shape under that name.
  name: 'alert_history',
  key: (row) => [row.alert_id],
  // The one about space has to fit while there is little. The others are held back then.
  importance: 'transaction',
  indexes: {
    open: (row) => (isOpen(row) ? [{ group: [row.kind], order: [row.organization_id, row.subject] }] : []),
    openOfChargePoint: (row) =>
      isOpen(row) && row.charge_point_id !== undefined ? [{ group: [row.charge_point_id] }] : [],
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byStatus: (row) => [{ group: [row.organization_id, row.status] }],
    byCurrent: (row) => (isCurrent(row) ? [{ group: [row.organization_id, currentAlerts] }] : []),
    byKind: (row) => [{ group: [row.organization_id, row.kind] }],
    byChargePoint: (row) =>
      row.charge_point_id === undefined ? [] : [{ group: [row.organization_id, row.charge_point_id] }],
    bySubject: (row) => (row.status === 'notice' ? [{ group: [row.organization_id, row.kind, row.subject] }] : []),
    ended: (row) => (isOpen(row) ? [] : [{ group: [], order: [endOf(row)] }]),
  },
  uncounted: ['open', 'openOfChargePoint', 'bySubject', 'ended'],
  retention: { timeOf: endOf, milliseconds: yearMs, index: 'ended' },
})

function endOf(row: Alert): number {
  return Date.parse(row.resolved_at ?? row.triggered_at)
}

/** Somebody has seen to it. Written by the API alone, so that an alert has one writer. */
export interface AlertAcknowledgement {
  readonly alert_id: string
  readonly acknowledged_at: string
  /** The key's id. */
  readonly acknowledged_by: string
}

export const alertAcknowledgementsTable = defineTable<AlertAcknowledgement>({
  name: 'alert_acknowledgements',
  key: (row) => [row.alert_id],
  // As long as the alert, unless that was open for a year.
  retention: { timeOf: (row) => timeOfId(row.alert_id), milliseconds: 2 * yearMs },
})

/** A change of an alert that is still to be mailed. Written with the alert; its mail takes it away. */
export interface UnsentAlert {
  readonly organization_id: string
  readonly alert_id: string
  readonly status: AlertStatus
  readonly kind: AlertKind
  /**
   * As the kind had it when the row was written: lists must not depend on the version of the program that applies a row. Rows that were
   * written before this field have the severity that their kind had then.
   */
  readonly severity?: AlertSeverity
}

/** Never changed: kinds that were critical while rows did not say so. */
const criticalWithoutSeverity: readonly string[] = [
  'charge_point_quarantined',
  'commands_quarantined',
  'guest_charge_not_stopped',
  'invoices_quarantined',
  'storage_space_low',
  'webhook_endpoint_disabled',
]

export function severityOf({ kind, severity }: UnsentAlert): AlertSeverity {
  return severity ?? (criticalWithoutSeverity.includes(kind) ? 'critical' : 'warning')
}

export const unsentAlertsTable = defineTable<UnsentAlert>({
  // The name by which earlier versions have stored them.
  name: 'untold_alerts',
  key: (row) => [row.organization_id, row.alert_id, row.status],
  indexes: {
    // What does not wait behind the others, however many they are. An end can wait.
    critical: (row) =>
      row.status !== 'resolved' && severityOf(row) === 'critical' ? [{ group: [row.organization_id] }] : [],
  },
  uncounted: ['critical'],
})

/**
 * A cause that holds or is passing, as the row of its subject keeps it, so that looking at it costs no read. Without an alert
 * it is not yet worth one; with one, `ending` says that the cause is gone, for the moment.
 */
export interface Watch {
  /** Wall ms: since when the cause holds, or since when it is gone. Of a certificate, its end. */
  readonly since: number
  readonly alert_id?: string
  readonly ending?: true
}

export type WatchPhase = 'begins' | 'open' | 'ends'

export function phaseOf(watch: Watch): WatchPhase {
  if (watch.alert_id === undefined) return 'begins'
  return watch.ending === true ? 'ends' : 'open'
}

/** By kind, and where each connector has one of its own, by a slash and its number. */
export type Watches = Readonly<Record<string, Watch>>

export function watchKey(kind: AlertKind, connectorId?: number): string {
  return connectorId === undefined ? kind : `${kind}/${connectorId}`
}

export function kindOfWatch(key: string): AlertKind {
  const slash = key.indexOf('/')
  return (slash === -1 ? key : key.slice(0, slash)) as AlertKind
}

/** Undefined for a watch of the charge point as a whole. */
export function connectorOfWatch(key: string): number | undefined {
  const slash = key.indexOf('/')
  return slash === -1 ? undefined : Number(key.slice(slash + 1))
}
