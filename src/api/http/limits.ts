// Bounds of what the HTTP side of a front takes on at a time.

import { defineLimits } from '../../runtime/define-limits.js'
import { limits as pipelineLimits } from '../pipeline/limits.js'

export const limits = defineLimits(
  {
    /** Addresses whose rate is known, by kind of request; beyond them, the one that was asked for least recently is forgotten. */
    countedAddresses: 20_000,
    /**
     * API keys that were valid when they were last used: their requests count for them, and not for their address. Room for 1,000 organizations
     * with a hundred keys each, in some 25 MB.
     */
    knownKeys: 100_000,
    /** Tokens that a request of a stranger costs while the front has more work than it can do. */
    strangerCostUnderLoad: 10,
    /** Requests of one address or organization that are handled within the turn of the event loop that read them. */
    requestsPerTurn: 4,
    /** How long requests are handled, and parts of streams written, in one turn, before charge points have theirs. */
    requestSliceMs: 3,
    /** Requests of one slice, however short they are. */
    requestsPerSlice: 64,
    /** Most requests that wait for their turn in all organizations, in one, and of one credential. One with a body may wait twice at once: for both its parts. */
    waitingRequests: 10_000,
    waitingRequestsPerOrganization: 3_000,
    waitingRequestsPerCredential: 1_000,
    /** Of strangers, and of one address: twice what such an address may send at once, where no setting says otherwise. */
    waitingStrangers: 6_000,
    waitingStrangersPerAddress: 600,
    /** A body up to this length counts as small. */
    smallBodyBytes: 65_536,
    /** Of small bodies that are being received, or whose requests are being handled, and of those of one organization or address. */
    smallBodiesBytes: 16_777_216,
    smallBodiesBytesPerParty: 2_097_152,
    /** Of larger ones. */
    bodyBytes: 67_108_864,
    bodyBytesPerParty: 16_777_216,
    /** How much is read and dropped of a body that is too long, and for how long, before its answer closes the connection. */
    droppedBodyBytes: 16_777_216,
    dropsBodyWithinMs: 5_000,
    /**
     * What one organization or address may have parsed, on average and at once: each body is parsed in one piece, a megabyte in some 10 ms. A field, an
     * object or a list takes as long as so many bytes, and counts as them; a body that counts for as little as a small one is not counted.
     */
    parsedBytesOfPart: 100,
    parsedBodyBytesPerSecond: 4_194_304,
    parsedBodyBytesAtOnce: 33_554_432,
    /** Organizations and addresses whose large bodies are counted. */
    countedBodyParties: 20_000,
    /** Of answers that have not been read yet. */
    unreadAnswerBytes: 67_108_864,
  },
  (bounds) => [
    [
      bounds.waitingRequestsPerOrganization * 2 <= bounds.waitingRequests &&
        bounds.waitingStrangersPerAddress * 2 <= bounds.waitingStrangers,
      'one party leaves room for the requests of others',
    ],
    [
      bounds.waitingRequestsPerCredential * 2 <= bounds.waitingRequestsPerOrganization,
      'one credential leaves room for the others of its organization',
    ],
    [
      pipelineLimits.requestBodyBytes <= Math.min(bounds.bodyBytesPerParty, bounds.parsedBodyBytesAtOnce),
      'a body of any size has room when it is alone',
    ],
    [bounds.smallBodyBytes <= bounds.smallBodiesBytesPerParty, 'a small body has room when it is alone'],
    [
      bounds.bodyBytesPerParty * 2 <= bounds.bodyBytes &&
        bounds.smallBodiesBytesPerParty * 2 <= bounds.smallBodiesBytes,
      'one party leaves room for the bodies of others',
    ],
  ],
)
