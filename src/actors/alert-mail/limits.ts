// Bounds of the actor: alert mail.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Mails about alerts to one organization in an hour; what they leave is in the first of the next. */
  alertMailsPerHour: 10,
  /** Those that go out beyond these, because what they report is critical. */
  criticalAlertMailsPerHour: 10,
  /** Alerts at a time that get a mail each; more are one mail together. */
  singleAlertMails: 3,
  /** Alerts that one mail sums up, and those of them that it names. */
  alertsPerMail: 5_000,
  alertMailLines: 20,
})
