// Alerts: of every subject what is told alternates, it is what the rows say, and once everything has come to rest what is open is what
// is wrong.

import { organizations } from '../organizations.js'
import type { DiskWatch, Row } from './disk-watch.js'
import { isInstallers } from './installed.js'
import type { Verdict } from './verdict.js'

export interface AlertOracle {
  /** Events that a group of commits has added. */
  told(event: string, data: Row): void
  written(): void
  settled(run: number): void
}

export const alertTables = ['alert_history']

/** Clocks may be wrong, allowances used up, values of keys given up, and limits refused or ignored, to the end: of these no account is kept here. */
const unaccounted = [
  'charge_point_clock_off',
  'charge_point_over_allowance',
  'charge_point_configuration_drifted',
  'power_limit_',
  'site_',
]

const subjectOf = (row: Row): string =>
  `${row.kind} ${row.charge_point_id ?? row.webhook_endpoint_id}/${row.connector_id ?? ''}`

export function createAlertOracle(verdict: Verdict, disk: DiskWatch): AlertOracle {
  const { check } = verdict
  /** The alert that was told to have begun, by subject. */
  const open = new Map<string, unknown>()
  const stored = new Map<string, unknown>()
  /** Subjects of which the rows say another thing than what is told: kept as they change, since they are many and change seldom. */
  const differing = new Set<string>()

  function note(alerts: Map<string, unknown>, subject: string, id: unknown): void {
    if (id === undefined) alerts.delete(subject)
    else alerts.set(subject, id)
    if (open.get(subject) === stored.get(subject)) differing.delete(subject)
    else differing.add(subject)
  }

  return {
    told(event, data) {
      if (data.lasts !== true) return
      const subject = subjectOf(data)
      const before = open.get(subject)
      if (event === 'alert.triggered') {
        check('alert-once', before === undefined, () => `${subject} was triggered twice in a row`)
        note(open, subject, data.alert_id)
        return
      }
      check(
        'alert-once',
        before === data.alert_id,
        () => `${subject}: ${data.alert_id} is resolved, ${before} was open`,
      )
      note(open, subject, undefined)
    },
    written() {
      for (const { after } of disk.changes('alert_history')) {
        if (after === undefined || after.status === 'notice' || isInstallers(after)) continue
        note(stored, subjectOf(after), after.status === 'open' ? after.alert_id : undefined)
      }
      check('alert-once', differing.size === 0, () => {
        const [subject] = [...differing] as [string]
        return `${subject}: ${open.get(subject)} is told to be open, the rows say ${stored.get(subject)}`
      })
    },
    settled(run) {
      for (const row of disk.rows('charge_point_states')) {
        const wanted = organizations.some(({ id, alertsOffline }) => id === row.organization_id && alertsOffline)
        // One that has never come cannot have gone.
        const offline = wanted && row.connected_at !== undefined && (row.connected !== true || row.run !== run)
        const faulted = (row.connectors as readonly Row[]).filter(({ status }) => status === 'Faulted')
        const { charge_point_id } = row
        const expected = [
          ...(offline ? [subjectOf({ kind: 'charge_point_offline', charge_point_id })] : []),
          ...faulted.map(({ connector_id }) => subjectOf({ kind: 'connector_faulted', charge_point_id, connector_id })),
        ]
        const own = [...open.keys()].filter(
          (subject) =>
            subject.includes(` ${charge_point_id}/`) && !unaccounted.some((kind) => subject.startsWith(kind)),
        )
        const holds = own.sort().join() === expected.sort().join()
        check('settled', holds, () => `${own.join()} are open, and ${expected.join()} should be`)
      }
    },
  }
}
