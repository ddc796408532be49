// Bounds of the actor system, the store and the links between threads.

import { defineLimits } from './define-limits.js'

export const limits = defineLimits(
  {
    /** Heap for young objects of a front or a shard: V8's own choice keeps 40 MB a thread resident for little gain here. */
    youngGenerationMegabytes: 32,
    /** Messages waiting for one actor. */
    mailboxMessages: 1_000,
    /** How often an actor handles one message at most, whose requirement somebody else's commit has overtaken each time. */
    messageAttempts: 4,
    /** Actors that shards have ended of lately, and that are remembered for it. */
    suspects: 1_000,
    /** How long the actors of a shard, or one walk over rows, work on before other work of their thread has its turn. */
    sliceMs: 10,
    /** Frames that a front holds for one shard until they are acknowledged. */
    resendWindowFrames: 100_000,
    /** Characters of these frames: a stuck shard and charge points with long frames must not fill the memory meanwhile. */
    resendWindowCharacters: 134_217_728,
    /** Of them, those of one socket: a charge point waits for an answer before it sends its next message. */
    socketWindowCharacters: 2_097_152,
    /** Asks of one thread that wait for an answer. */
    asks: 50_000,
    /** Objects and arrays within each other, in JSON from callers and charge points that is stored or passed on. */
    nesting: 32,
    /** Rows that a filtered list reads before it lets other requests go on. */
    rowsPerWalkStep: 200,
    /** Envelopes of one link that a shard remembers, so that one which comes twice is handled once. */
    recentEnvelopes: 10_000,
    /**
     * Messages that wait in a shard for actors which are about to be its own, while the former owner lets go of them. Those that nobody tells
     * again are taken over it, as by a full mailbox.
     */
    earlyMessages: 10_000,
    /** How long a shard keeps what actors have noted, and nobody waits for, before it is written. */
    notesWithinMs: 30_000,
    /** Batches waiting for the store's writer, over which new work is refused. */
    commitQueue: 100_000,
    /** Batches written in one transaction of the store; the others wait for the next, so that one group is never long. */
    groupBatches: 1_000,
    /** Changes of these batches; a batch of more is written alone. */
    groupChanges: 5_000,
    /** Bytes of one encoded key, an index entry's with its group, order and primary key included. */
    keyBytes: 1_978,
    /** Named databases in the store: one per table, one per index, and two of its own. Room for 512 tables with two or three lists each. */
    storeDatabases: 2_048,
    /** Free space of the store's disk below which it is low, where no setting says so: this, or a share of a small disk. */
    lowSpaceBytes: 1_073_741_824,
    lowSpaceShare: 0.05,
    /** Room in the data file that is allocated ahead of need when space gets low, for transactions on a full disk. */
    spaceReserveBytes: 16_777_216,
    /** How long a start looks at the pages of the store's file, for damage on which lmdb would end the process: all of those of some 100 MB. */
    pageCheckMs: 250,
    /** Read transactions open at once on the store: about one per thread. */
    storeReaders: 126,
    /** Due wake-ups that a shard reads at once, and messages waiting over which it waits before it reads more of many. */
    wakeUpsPerSweep: 1_000,
    /** Rows that a migration reads before it writes them. */
    migrationRows: 1_000,
    /** Rows pruned in one pass, which a commit may have to wait for: 17 ms of the processor where the rows are in several lists. */
    prunedRowsPerPass: 200,
    /** Faults listed for a store that is not consistent. */
    storeFaults: 20,
    /** Numbers of a sequence that a restore leaves out in each partition, for those given out since the backup was taken. */
    skippedNumbersPerRestore: 16_384,
    /** How long one partition takes for one more number at most, on average, in the time since a backup. */
    secondsPerSkippedNumber: 40,
    /** Rows of one turn that a thread remembers so as not to read them twice. */
    rowsOfSnapshot: 1_000,
  },
  (bounds) => [
    [
      bounds.mailboxMessages <= bounds.resendWindowFrames,
      "one actor's mailbox has to be full before the window of its whole shard is",
    ],
    [
      bounds.socketWindowCharacters <= bounds.resendWindowCharacters / 16,
      'a few sockets must not take the window of all others',
    ],
    [bounds.groupBatches <= bounds.commitQueue, 'a group is made of what waits'],
    [bounds.wakeUpsPerSweep <= bounds.commitQueue, 'the commits of one sweep have to fit in the queue'],
    [
      bounds.spaceReserveBytes <= bounds.lowSpaceBytes,
      'the reserve is allocated while the disk is low and still has it',
    ],
  ],
)
