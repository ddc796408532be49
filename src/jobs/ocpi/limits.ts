// Bounds of calls to roaming partners.

import { defineLimits } from '../../runtime/define-limits.js'
import { limits as outbound } from '../outbound/limits.js'

export const limits = defineLimits(
  {
    /** Bytes read of an answer, and of one that is a page of a list. */
    ocpiAnswerBytes: 262_144,
    ocpiPageBytes: 4_194_304,
    /** Values in its JSON, and in that of a page: a short text can hold many, and each takes time and memory. */
    ocpiAnswerValues: 20_000,
    ocpiPageValues: 100_000,
    /** Objects of a list, and characters of them, that are handed on together, and characters of one of them: charge points wait while they are stored. */
    ocpiObjectsPerText: 50,
    ocpiTextCharacters: 65_536,
    ocpiObjectCharacters: 16_384,
    /** How deep its JSON may be nested. */
    ocpiAnswerDepth: 32,
    /** Characters of a partner's own words that are repeated in a sentence. */
    ocpiQuotedCharacters: 120,
  },
  (bounds) => [
    [
      bounds.ocpiAnswerBytes <= bounds.ocpiPageBytes && bounds.ocpiPageBytes <= outbound.outboundLongAnswerBytes,
      'an answer that may be read is one that can be',
    ],
  ],
)
