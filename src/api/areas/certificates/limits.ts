// Bounds of the area: certificates.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Certificates of one registration that are revoked by themselves and have not ended. */
  revokedAlone: 50,
  /** Certificates of one registration that a list shows: those that are kept, and those that were revoked. */
  shown: 500,
  /** How long what is published of the authorities is kept where nothing is revoked, and where there was no authority, ms. */
  publishedMs: 3_600_000,
  absentMs: 60_000,
  /** How long a caller whose certificates take their time to be made should wait, s. */
  retryAfterSeconds: 5,
})
