// Bounds of the actor: roaming partner.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** Pushes to one partner under way at once, while it answers, and at first. */
    ocpiPushes: 32,
    ocpiFirstPushes: 4,
    /** How long a partner may take for one. */
    ocpiPushTimeoutMs: 15_000,
    /** Objects of one partner that have changed and are not pushed yet: locations, and all others. What is beyond waits where it is read. */
    ocpiPending: 5_000,
    /** Objects that one turn looks at to find one that the partner does not know as it is. */
    ocpiLooksPerTurn: 50,
    /** A partner that events do not concern reads them so often at most. */
    ocpiIdleReadEveryMs: 100,
    /** Events that one turn reads, and events after which a partner's place is stored. */
    ocpiEventsPerRead: 200,
    ocpiUnstoredEvents: 1_000,
    /** How often a partner's place is stored at most, while there is little to do. */
    ocpiProgressEveryMs: 1_000,
    /** Locations, and sessions, of which a partner's actor remembers what it has sent; locations of all partners of a shard, at half a KiB each. */
    ocpiRemembered: 50_000,
    ocpiRememberedByAll: 1_000_000,
    /** A session that runs is looked at so often, if nothing has been sent of it. */
    ocpiSessionEveryMs: 60_000,
    /** How often tariffs, and locations that nobody has told of, are looked at. */
    ocpiLookEveryMs: 8_000,
    /** Tariffs of an organization that its partners are sent. */
    ocpiTariffs: 1_000,
    /** Charging profiles of a partner that are looked at when its actor is loaded. */
    ocpiProfilesAtLoad: 1_000,
    /** Pauses of a partner that fails: the first, and the longest. */
    ocpiFirstPauseMs: 1_000,
    ocpiLongestPauseMs: 300_000,
    /** Answers in a row that are failures before there is a pause: one object may be to blame. */
    ocpiFailuresInARow: 3,
    /** How often one object is sent that a partner refuses, or fails at. */
    ocpiRefusals: 3,
    ocpiFailedAnswers: 8,
    /** CDRs of one partner in memory that are due. */
    ocpiDueCdrs: 64,
    /** How often the CDRs of sessions are compared with the CDRs that a partner has taken; sessions of one turn, and ms between two such turns on a shard. */
    ocpiCompareEveryMs: 24 * 3_600_000,
    ocpiComparedPerTurn: 100,
    ocpiStepsApartMs: 50,
    /** Rows of a partner that was deleted which one turn removes. */
    ocpiForgottenRows: 250,
    /** After so long, a command of which nothing was heard has timed out. */
    ocpiCommandMs: 30_000,
    /** Results of commands that wait, how often each is sent, and how long a partner may take. */
    ocpiResults: 500,
    ocpiResultAttempts: 3,
    ocpiResultTimeoutMs: 10_000,
    /** Events of an organization that a shard remembers for all partners of the organization, and those of all organizations. */
    ocpiRecentEvents: 20_000,
    ocpiRecentEventsOfAll: 200_000,
    ocpiRecentOrganizations: 1_000,
  },
  (bounds) => [
    [bounds.ocpiFirstPushes <= bounds.ocpiPushes, 'a partner begins below its bound'],
    [bounds.ocpiEventsPerRead <= bounds.ocpiPending, 'a read has to fit'],
    [bounds.ocpiRecentEvents < bounds.ocpiRecentEventsOfAll, 'one organization must not take the room of all others'],
  ],
)
