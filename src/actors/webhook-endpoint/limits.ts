// Bounds of the actor: webhook endpoint.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** Webhook endpoints of one organization. */
    webhookEndpoints: 200,
    /** Secrets of one endpoint that are valid at the same time, during a rotation. */
    webhookSecrets: 3,
    /** Attempts of one endpoint under way at once, while it answers, and after it has failed quickly. */
    webhookAttempts: 16,
    webhookFirstAttempts: 4,
    /** After so many failures without a success between them, one attempt is made at a time, and the next one so much later. */
    webhookFailuresInARow: 20,
    webhookFailingPauseMs: 1_000,
    /** Events of one endpoint in memory: read, and not settled yet; and as many of a replay. */
    webhookWindow: 256,
    /** Deliveries of one endpoint in memory whose retry is due. */
    webhookDueRetries: 64,
    /** Events that one turn reads from the feed. */
    webhookEventsPerRead: 100,
    /** Events, and those of a replay, after which an endpoint stores its place: read again after a crash. */
    webhookUnstoredEvents: 200,
    webhookUnstoredReplays: 16,
    /** Bytes of one delivery's body. Standard Webhooks: below 20 kB. */
    webhookBodyBytes: 20_000,
    /** The longest that a Retry-After of a receiver puts a retry off. */
    webhookRetryAfterMs: 3_600_000,
    /** Tests of one endpoint that wait for their outcome. */
    webhookTests: 4,
  },
  (bounds) => [
    [
      bounds.webhookEventsPerRead <= bounds.webhookWindow,
      'an endpoint reads on when its window has room for a whole read',
    ],
    [bounds.webhookFirstAttempts <= bounds.webhookAttempts, 'an endpoint begins below its bound'],
  ],
)
