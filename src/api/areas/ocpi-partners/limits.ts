// Bounds of the area: roaming partners.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Roaming partners of one organization. */
  ocpiPartners: 200,
  /** Locations, or tariffs, that a partner is confined to. */
  ocpiPartnerIds: 1_000,
  /** Tokens with one id tag, of all partners of an organization, that are looked at for one of them. */
  ocpiTokensOfUid: 1_000,
  /** Tokens from earlier versions that the start seals in one commit. */
  ocpiTokensSealedAtOnce: 200,
})
