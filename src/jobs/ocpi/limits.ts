// Bounds of calls to roaming partners.

import { defineLimits } from '../../runtime/define-limits.js'
import { limits as outbound } from '../outbound/limits.js'

export const limits = defineLimits(
  {
    /** Bytes read of an answer: a page of a list of tokens or of locations. */
    ocpiAnswerBytes: 4_194_304,
    /** How deep its JSON may be nested. */
    ocpiAnswerDepth: 32,
    /** Characters of a partner's own words that are repeated in a sentence. */
    ocpiQuotedCharacters: 120,
  },
  (bounds) => [
    [bounds.ocpiAnswerBytes <= outbound.outboundLongAnswerBytes, 'an answer that may be read is one that can be'],
  ],
)
