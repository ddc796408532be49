// Bounds of the actor: tokens of a roaming partner.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** How often a partner's tokens are pulled, and how often all of them, not only what has changed. */
    tokenPullEveryMs: 3_600_000,
    wholeTokenPullEveryMs: 24 * 3_600_000,
    /** What has changed is asked for from so long before the last pull on: clocks differ. */
    tokenPullOverlapMs: 10 * 60_000,
    /** After a failure: the first pause. */
    tokenPullPauseMs: 60_000,
    /** A pull from which nothing has been heard for so long was lost with its shard. */
    lostTokenPullMs: 10 * 60_000,
    /** How long a partner may take for a page, and how many tokens it is asked for at once. */
    tokenPageTimeoutMs: 30_000,
    tokensPerPage: 500,
    /** Tokens that are stored or removed in one turn, and pages of one pull. */
    tokensPerTurn: 250,
    tokenPages: 50_000,
    /** Tokens of one partner. */
    tokensOfPartner: 5_000_000,
  },
  (bounds) => [
    [bounds.tokenPageTimeoutMs < bounds.lostTokenPullMs, 'a page that is waited for is not lost'],
    [bounds.tokenPullPauseMs < bounds.tokenPullEveryMs, 'the pause after a failure is short'],
  ],
)
