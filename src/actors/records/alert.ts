// An alert about the installation itself that has been raised and not resolved; its events are in the outbox.
// The row makes it one alert, however often its cause is looked at, and over a restart.

import { defineTable } from '../../runtime/table.js'

export interface Alert {
  /** What is wrong, by the name that its events carry. */
  readonly alert: string
  readonly organization_id: string
  readonly triggered_at: string
}

export const alertsTable = defineTable<Alert>({
  name: 'alerts',
  key: (row) => [row.alert],
  importance: 'transaction',
})
