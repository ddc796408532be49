// Bounds of the area: api keys.

import { defineLimits } from '../../../runtime/define-limits.js'
import { limits as requests } from '../../pipeline/limits.js'

export const limits = defineLimits(
  {
    /** API keys of one organization, expired ones that are still listed included. */
    apiKeys: 1_000,
    /** How far ahead the end of an API key may lie. */
    apiKeyDays: 3_650,
    /** How long a key's old text may stay good after its rotation. */
    keyOverlapSeconds: 86_400,
  },
  (bounds) => [[bounds.apiKeys <= requests.heldRows, 'a member who leaves may have all keys of the organization']],
)
