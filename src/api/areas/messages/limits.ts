// Bounds of the area: messages.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** Messages of one page. */
    messagesPerPage: 200,
    /** Frames of a charge point that one page looks at in memory, and their bytes together. */
    ringFramesPerRead: 2_000,
    ringBytesPerRead: 2_097_152,
    /** Newer frames than a page is of, in which answers to its requests are looked for. */
    ringFramesBehind: 64,
    /** Stored messages that are read at once for a page, and in all; after them it is cut, and says where it goes on. */
    messagesPerStep: 100,
    messagesPerRead: 5_000,
    /** Sessions, and connectors outside of sessions, whose meter values one page looks at. */
    meteredSessionsPerRead: 50,
    meteredConnectors: 16,
    /** How long an answer to a charge point, or of it, is waited for before a stream tells a request without it. */
    unansweredAfterMs: 60_000,
    /** Requests of a charge point, and as many to it, that a stream remembers until they are answered. */
    unansweredInMemory: 64,
    /** Streams of messages on one front; of one organization on it; and characters that wait for one reader. */
    messageStreams: 200,
    messageStreamsPerOrganization: 20,
    waitingStreamCharacters: 65_536,
    /** Captures of one organization that run, how long one may take, and its size; and those that are listed of a charge point. */
    capturesPerOrganization: 50,
    captureMinutes: 1_440,
    captureMegabytes: 20,
    listedCaptures: 20,
    /** Messages of a capture that are read at once for its file. */
    capturedMessagesPerStep: 100,
  },
  (bounds) => [
    [
      bounds.messageStreamsPerOrganization < bounds.messageStreams,
      'one organization must not take the streams of all others',
    ],
    [bounds.messagesPerPage <= bounds.messagesPerRead, 'a page can be full'],
  ],
)
