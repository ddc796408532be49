// Bounds of the actor: mail.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits({
  /** How long a mail that the mail server does not take is tried again. */
  mailRetriesMs: 259_200_000,
})
