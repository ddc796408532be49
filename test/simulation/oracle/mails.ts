// Mails: each goes out at least once or is given up with its record, no attempt is made that the disk does not know of, and of each week of
// an organization there is one report.

import { organizations } from '../organizations.js'
import type { DiskWatch, Row } from './disk-watch.js'
import type { Verdict } from './verdict.js'

export interface MailOracle {
  /** An attempt leaves the service. */
  sent(mailId: string): void
  /** The server has it. */
  taken(mailId: string): void
  refused(mailId: string): void
  written(): void
  /** `wallMs`: what the clock shows; `weekly`: whether the organizations want reports. */
  settled(wallMs: number, weekly: boolean): void
}

export const mailTables = ['mails', 'weekly_reports']

interface Account {
  row: Row | undefined
  attempts: number
  taken: boolean
  refused: boolean
}

const dayMs = 24 * 3_600_000
/** From when on Monday the report of the week before may be made. */
const hoursAfterWeek = 6
/** 1970-01-01 was a Thursday. */
const daysToMonday = 3

/** The Monday of the last week that is over, `2026-06-01`, on a clock that is `offsetMinutes` ahead of UTC. */
function lastWeek(wallMs: number, offsetMinutes: number): string {
  const day = Math.floor((wallMs + offsetMinutes * 60_000 - hoursAfterWeek * 3_600_000) / dayMs)
  const monday = day - ((day + daysToMonday) % 7) - 7
  return new Date(monday * dayMs).toISOString().slice(0, 10)
}

export function createMailOracle({ check }: Verdict, disk: DiskWatch): MailOracle {
  const mails = new Map<string, Account>()
  const reported = new Set<string>()
  const weeks = new Map<unknown, Row>()

  function accountOf(id: string): Account {
    const known = mails.get(id) ?? { row: undefined, attempts: 0, taken: false, refused: false }
    mails.set(id, known)
    return known
  }

  function rowChanged(before: Row | undefined, after: Row | undefined): void {
    const id = String((after ?? before)?.mail_id)
    const account = accountOf(id)
    account.row = after
    // The record of one that was given up is pruned in the end.
    if (after === undefined)
      check(
        'mail-sent',
        account.taken || before?.content === undefined,
        () => `${id} is gone, and no server has taken it`,
      )
    else if (after.content === undefined)
      check('mail-sent', account.refused, () => `${id} was given up: ${after.error}`)
    if (before !== undefined || after?.type !== 'weekly-report') return
    const week = `${after.organization_id} ${(after.content as Row).from}`
    check('report-once', !reported.has(week), () => `the week of ${week} is reported twice`)
    reported.add(week)
  }

  return {
    sent(id) {
      const account = accountOf(id)
      account.attempts++
      const noted = Number(account.row?.attempts ?? 0)
      check(
        'mail-sent',
        noted >= account.attempts,
        () => `${id} is tried for the ${account.attempts}. time, ${noted} are noted`,
      )
    },
    taken(id) {
      accountOf(id).taken = true
    },
    refused(id) {
      accountOf(id).refused = true
    },
    written() {
      for (const { before, after } of disk.changes('mails')) rowChanged(before, after)
      for (const { before, after } of disk.changes('weekly_reports')) {
        const on = after !== undefined && String(after.week) > String(before?.week ?? '')
        check('report-once', on, () => `after the week of ${before?.week}, that of ${after?.week} is reported`)
        if (after !== undefined) weeks.set(after.organization_id, after)
      }
    },
    settled(wallMs, weekly) {
      for (const [id, { row }] of mails)
        check('settled', row?.content === undefined, () => `${id} waits after ${row?.attempts} attempts: ${row?.error}`)
      if (!weekly) return
      for (const { id, offsetMinutes } of organizations) {
        const due = lastWeek(wallMs, offsetMinutes)
        const week = String(weeks.get(id)?.week)
        check('report-once', week >= due, () => `${id} was reported the week of ${week} last, and ${due} is over`)
      }
    },
  }
}
