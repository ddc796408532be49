// Bugs of mails and weekly reports.

import type { Mutant } from '../mutant.js'
import { worlds } from '../worlds.js'

export const mails: readonly Mutant[] = [
  {
    name: 'mail-attempt-not-noted',
    bug: 'a mail is sent, and that it was tried is not on disk',
    file: 'src/actors/mail/mail.ts',
    find: 'effect.put(mailsTable, state.row),\n    wakeAfter(',
    replace: 'wakeAfter(',
    caughtBy: 'mail-sent',
    seed: 2,
  },
  {
    name: 'mail-not-tried-again',
    bug: 'a mail that the mail server did not take is forgotten',
    file: 'src/actors/mail/mail.ts',
    find: "if (result?.type === 'sent') {",
    replace: "if (result?.type !== 'refused') {",
    caughtBy: 'mail-sent',
    world: worlds.mails,
    seed: 2,
  },
  {
    name: 'week-not-noted',
    bug: 'that a week was reported is not stored',
    file: 'src/actors/weekly-report/weekly-report.ts',
    find: 'effect.put(weeklyReportsTable, { organization_id: context.id, week: week.monday }),',
    replace: '',
    caughtBy: 'report-once',
    seed: 26,
  },
]
