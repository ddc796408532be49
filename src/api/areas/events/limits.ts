// Bounds of the area: events.

import { defineLimits } from '../../../runtime/define-limits.js'
import { limits as runtime } from '../../../runtime/limits.js'

export const limits = defineLimits(
  {
    /** Events that one page of the feed reads to find those that are asked for; after them it is cut, and says where it goes on. */
    feedEventsPerPage: 10_000,
    /** Event streams of one front, and of one organization on it. */
    eventStreams: 10_000,
    eventStreamsPerOrganization: 1_000,
    /** Events that a stream reads at once, and characters that it writes at once. */
    streamedEventsPerRead: 200,
    streamedCharactersPerPart: 65_536,
    /** Newest events of an organization, encoded once for all its streams on a front. */
    streamTailEvents: 1_000,
    streamTailCharacters: 262_144,
    /** Parts made of them that are kept for other streams at the same place. */
    streamTailParts: 16,
  },
  (bounds) => [
    [
      bounds.eventStreamsPerOrganization <= bounds.eventStreams,
      'one organization must not take the streams of all others',
    ],
    [runtime.rowsPerWalkStep <= bounds.feedEventsPerPage, 'a page of the feed takes at least one step'],
  ],
)
