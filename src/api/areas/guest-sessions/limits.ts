// Bounds of the area: guest sessions.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Characters of a tokenised payment method. */
  paymentMethodCharacters: 255,
  /** How often a guest tries for a connector that others try for at the same time. */
  connectorClaimAttempts: 5,
  /** Running sessions of one charge point among which that of a connector is looked for. */
  runningSessionsLookedAt: 100,
})
