// Which week of an organization is to be reported: the last one that is over, from Monday to Monday on its wall clock. Weeks that
// nobody could report, because the service was down or the report was not wanted, are left out.

import { DateTime } from 'luxon'
import { defaultNotificationPreferences, defaultTimeZone, type Organization } from '../../records/organization.js'
import { weeklyReportsTable } from '../../records/weekly-report.js'
import type { ReadView } from '../../runtime/store/store.js'
import { zoneOf } from '../billing/periods.js'

export interface Week {
  /** `2026-11-16`. */
  readonly monday: string
  /** ms, inclusive. */
  readonly from: number
  /** ms, exclusive. */
  readonly to: number
}

/** The mail is there when Monday's work begins, and what ended at night has been told. */
const hoursAfterWeek = 6

/** The newest week that may be reported at `now` (ms). */
export function lastWeek(now: number, timeZone: string): Week {
  const monday = DateTime.fromMillis(now, { zone: zoneOf(timeZone) })
    .minus({ hours: hoursAfterWeek })
    .startOf('week')
  const from = monday.minus({ weeks: 1 })
  return { monday: from.toFormat('yyyy-MM-dd'), from: from.toMillis(), to: monday.toMillis() }
}

/** The week to report now, if there is one; a read. An organization that began after it has nothing to be told. */
export function dueWeek(view: ReadView, organization: Organization, now: number): Week | undefined {
  const { organization_id, created_at, time_zone = defaultTimeZone, notification_preferences } = organization
  const { weekly_report } = notification_preferences ?? defaultNotificationPreferences
  if (!weekly_report) return undefined
  const week = lastWeek(now, time_zone)
  const reported = view.get(weeklyReportsTable, [organization_id])?.week ?? ''
  return reported < week.monday && Date.parse(created_at) < week.to ? week : undefined
}
