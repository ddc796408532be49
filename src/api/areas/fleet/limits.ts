// Bounds of the area: fleet.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits(
  {
    /** Charge points that all fleets kept on a front have together, and fleets; beyond either, the one that was asked for longest ago goes. */
    keptRows: 400_000,
    keptFleets: 1_000,
    /** How long a fleet is kept that nobody watches. */
    keptUnwatchedMs: 300_000,
    /** Charge points that are read or encoded before the time is looked at, and how long that may go on in one turn of the event loop. */
    rowsPerStep: 50,
    fleetSliceMs: 4,
    /** Of a snapshot. */
    rowsPerPage: 50_000,
    /** Snapshots of a fleet kept as they are sent, for others that ask for the same, and for how long. */
    keptPages: 8,
    keptPageMs: 10_000,
    /** Different pages of a fleet that wait to be encoded, one at a time. */
    pagesWaiting: 20,
    /** The same page is encoded again after a rest of a millisecond for so many rows, at the earliest: those who ask for it while the fleet changes all the time gather, and share the next. */
    rowsPerMsOfRest: 50,
    /** How long a page is good for that was read from the store: of a fleet that there is no room to keep, where it costs some ten times as much. The same of what needs attention. */
    storedPageMs: 10_000,
    storedAttentionMs: 60_000,
    /** How long anybody waits for a fleet to be read, for their page or for what needs attention. */
    fleetWaitMs: 60_000,
    /** How long work goes on for somebody who was told to come again. */
    comesAgainMs: 60_000,
    /** How long a fleet is read for a stream that has been let in, but has not been opened yet. */
    streamOpensMs: 10_000,
    /** Open alerts of a charge point among which those of the organization are counted. */
    alertsCounted: 100,
    /** A stream is sent something at most this often, and so many charge points at once. */
    tickMs: 500,
    rowsPerMessage: 2_000,
    /** Changes that become a message at once; more of them are encoded in slices between other work. */
    rowsAtOnce: 100,
    /** Changed charge points that a stream may have before it; beyond them, it is told to read the snapshot again. */
    rowsWaiting: 20_000,
    /** Messages made once for all streams that wait for the same. */
    keptMessages: 16,
    /**
     * Events that are read at once. With so many in one go, or so many changed charge points, the fleet is in a storm: it is not kept current but by its
     * totals, since a snapshot costs less than as many rows, for the front and for those who watch.
     */
    eventsPerStep: 50,
    eventsPerGo: 5_000,
    rowsFollowed: 3_000,
    /** A storm is over when so few events came in a second, or has been going on for so long. */
    calmEventsPerSecond: 200,
    stormMs: 20_000,
    /** Charge points whose power a stream may watch; those of all streams of an organization; and how often they are read. */
    watchedPerStream: 200,
    watchedPerFleet: 1_000,
    watchMs: 5_000,
    /** Charge points of a fleet that are read again in a second although no event speaks of them, and fleets that have a turn of that in it: some of what is shown changes without an event. */
    sweptPerSecond: 50,
    fleetsSweptPerSecond: 10,
    /** How often what needs attention is worked out again, at most. */
    attentionMs: 15_000,
    causes: 50,
    examplesOfCause: 5,
    /** Values beyond three times the charge points that columns keep of what many share, before they are made anew. */
    sharedValues: 1_000,
    /** Refused connections, and notices of each kind, that are read to find causes. */
    attemptsRead: 500,
    noticesRead: 200,
    /** Steps of one answer of the series. */
    seriesPoints: 2_000,
  },
  (bounds) => [
    [
      bounds.rowsPerMessage <= bounds.rowsWaiting,
      'a stream that is told to read the snapshot again has waited for several messages',
    ],
    [bounds.rowsPerPage <= bounds.rowsPerMsOfRest * 1_000, 'a page rests for a second at most'],
    [bounds.watchedPerStream <= bounds.watchedPerFleet, 'one stream can watch as many as it may'],
    [bounds.watchedPerFleet < bounds.rowsFollowed, 'what is watched makes no storm'],
  ],
)
