// Bounds of the area: events.

import { defineLimits } from '../../../runtime/define-limits.js'
import { limits as runtime } from '../../../runtime/limits.js'

export const limits = defineLimits(
  {
    /** Events that one page of the feed reads to find those that are asked for; after them it is cut, and says where it goes on. */
    feedEventsPerPage: 10_000,
    /**
     * Event streams of one front; of one organization on it; and of one key. Each process of a back end needs one, so that a key has enough for 25
     * processes while as many of their next version start.
     */
    eventStreams: 10_000,
    eventStreamsPerOrganization: 100,
    eventStreamsPerKey: 50,
    /** Events that are read at once for a stream; that a stream which catches up reads when it has its turn; and characters that it writes at once. */
    streamedEventsPerStep: 50,
    streamedEventsPerRead: 200,
    streamedCharactersPerPart: 65_536,
    /** Bytes that a front writes in a second to all streams of an organization together, and at once; and what there must be left for another part. */
    streamedBytesPerSecond: 2_097_152,
    streamedBytesBurst: 16_777_216,
    streamedBytesPerPart: 262_144,
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
    [bounds.eventStreamsPerKey < bounds.eventStreamsPerOrganization, 'one key must not take the streams of all others'],
    // A character takes three bytes at most.
    [3 * bounds.streamedCharactersPerPart < bounds.streamedBytesPerPart, 'a part is within what was left for it'],
    [bounds.streamedBytesPerPart <= bounds.streamedBytesPerSecond, 'every second, there is something for a part'],
    [runtime.rowsPerWalkStep <= bounds.feedEventsPerPage, 'a page of the feed takes at least one step'],
  ],
)
