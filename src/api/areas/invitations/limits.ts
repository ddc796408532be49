// Bounds of invitations.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Open invitations of one organization, of each kind. */
  openInvitations: 1_000,
  /** Invitations that one organization makes in a day: each is a mail to somebody who may not want it. */
  invitationsPerDay: 500,
})
