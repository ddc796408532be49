// Bounds of calls to addresses that others chose.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** Calls to one origin: under way at once, of them without a connection yet, and waiting for their turn. */
    outboundRequestsPerOrigin: 128,
    outboundConnectsPerOrigin: 16,
    outboundWaitingPerOrigin: 1_000,
    /** Connections of these calls, idle ones included. */
    outboundConnections: 6_000,
    /** The longest time that one call may be given. */
    outboundTimeoutMs: 60_000,
    outboundUrlCharacters: 2_048,
    outboundBodyCharacters: 1_048_576,
    /** Bytes read of an answer's body; the rest is cut off with the connection. */
    outboundAnswerBytes: 65_536,
    /** The same for a call that wants more: a page of what a roaming partner has. */
    outboundLongAnswerBytes: 4_194_304,
    /** Bytes of an answer's headers, and characters kept of one that is handed on. */
    outboundHeaderBytes: 16_384,
    outboundHeaderCharacters: 1_024,
    /** Answers with a status below 200 before the one that counts. */
    outboundInterimAnswers: 16,
    /** What may come over one connection, whatever HTTP makes of it; over it the connection is closed. */
    outboundBytesPerSecond: 16_777_216,
    /** Characters of the words in which a call's failure is told. */
    outboundFailureCharacters: 300,
    /** Addresses of one name that a connection tries. */
    outboundAddresses: 8,
  },
  (bounds) => [
    [bounds.outboundConnectsPerOrigin <= bounds.outboundRequestsPerOrigin, 'who connects has a turn'],
    [
      bounds.outboundRequestsPerOrigin <= bounds.outboundConnections,
      'one origin must not be able to take every connection',
    ],
  ],
)
