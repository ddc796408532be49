// Bounds of the area: sessions.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** Buckets that an answer about meter values has at most, and as many as it has if nobody says how many. */
    meterValuePoints: 2_000,
    usualMeterValuePoints: 500,
    /** Meter values of one session that are read for the buckets of an answer; after them it is cut, and says so. */
    meterValuesRead: 200_000,
    /** Quantities of an answer: each by phase and place. */
    meterSeries: 40,
    meterValuesPerPage: 1_000,
    /** Samples on a page of meter values; the page ends with the meter value that reaches it. */
    samplesPerPage: 20_000,
    /** Entries of the story of a session, of all sources together, and of each. */
    storyEntries: 500,
    storyEntriesOfSource: 200,
    /** Events of the organization that are read for the story of one session; after them it is not complete, and says so. */
    storyEventsRead: 10_000,
    /** Sessions of the charge point among which those before and after at the same connector are found. */
    storySessionsRead: 20,
    /** Messages of the charge point that are read for the story of one session: those of the beginning. */
    storyMessagesRead: 1_000,
    /** Other terms under which a session is priced in one request. */
    variants: 8,
  },
  (bounds) => [
    [bounds.usualMeterValuePoints <= bounds.meterValuePoints, 'as many points as usual may be asked for'],
    [bounds.storyEntriesOfSource < bounds.storyEntries, 'no source fills a story alone'],
  ],
)
