// Bounds of the area: webhooks.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Names and areas that one subscription, page or stream chooses events by. */
  webhookEvents: 100,
  webhookDescriptionCharacters: 500,
  webhookSecretCharacters: 256,
  /** Events behind an endpoint's place that are looked at to count those that wait. */
  webhookWaitingLookedAt: 200,
})
