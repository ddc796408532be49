// Bounds of what the HTTP side of a front takes on at a time.

import { defineLimits } from '../../runtime/define-limits.js'
import { limits as pipelineLimits } from '../pipeline/limits.js'

export const limits = defineLimits(
  {
    /** Addresses whose rate is known, by kind of request; beyond them, the one that was asked for least recently is forgotten. */
    countedAddresses: 20_000,
    /** API keys that were valid when they were last used: their requests count for them, and not for their address. */
    knownKeys: 10_000,
    /** Tokens that a request of a stranger costs while the front has more work than it can do. */
    strangerCostUnderLoad: 10,
    /** Requests of one address or organization that are handled within the turn of the event loop that read them. */
    requestsPerTurn: 4,
    /** How long requests are handled, and parts of streams written, in one turn, before charge points have theirs. */
    requestSliceMs: 3,
    /** Requests of one slice, however short they are. */
    requestsPerSlice: 64,
    /** Requests of organizations that wait for their turn, and of them, those of one. */
    waitingRequests: 5_000,
    waitingRequestsPerOrganization: 500,
    /** Requests of strangers that wait for their turn, and of them, those of one address. */
    waitingStrangers: 2_000,
    waitingStrangersPerAddress: 100,
    /** Of bodies that are being received, and of requests that are being handled. */
    bodyBytes: 67_108_864,
    /** Of them, those of one organization or address. */
    bodyBytesPerParty: 16_777_216,
    /** Of answers that have not been read yet. */
    unreadAnswerBytes: 67_108_864,
  },
  (bounds) => [
    [
      bounds.waitingRequestsPerOrganization * 2 <= bounds.waitingRequests &&
        bounds.waitingStrangersPerAddress * 2 <= bounds.waitingStrangers,
      'one party leaves room for the requests of others',
    ],
    [pipelineLimits.requestBodyBytes <= bounds.bodyBytesPerParty, 'a body of any size has room when it is alone'],
    [bounds.bodyBytesPerParty < bounds.bodyBytes, 'one party leaves room for the bodies of others'],
  ],
)
