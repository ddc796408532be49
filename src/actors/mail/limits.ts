// Bounds of the actor: mail.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits({
  /** How long a mail that the mail server does not take is tried again. */
  mailRetriesMs: 259_200_000,
  /** Mails that one organization has sent to one address by what somebody does there (those of alerts have their own bounds) in an hour, and at once. */
  mailsToOnePerHour: 10,
  mailsToOneAtOnce: 20,
  /** And to all addresses: at once, as many as it may invite in a day. */
  mailsInAllPerHour: 100,
  mailsInAllAtOnce: 500,
})
