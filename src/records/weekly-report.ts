// The newest week that an organization was mailed a report of. Written by its weekly-report actor alone, in the commit that has the
// mail, so that a week is reported once.

import { defineTable } from '../runtime/store/table.js'

export interface WeeklyReport {
  readonly organization_id: string
  /** Its Monday, `2026-11-16`, in the time zone of the organization. */
  readonly week: string
}

export const weeklyReportsTable = defineTable<WeeklyReport>({
  name: 'weekly_reports',
  key: (row) => [row.organization_id],
  importance: 'operation',
})
