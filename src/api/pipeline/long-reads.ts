// Reads whose cost grows with a table: lists that are walked, deep pages, searches, sums, simulations. They go on in slices, one slice of one read
// in a turn of the event loop, so that however many there are, what else the front does waits for one slice. Organizations take the slices in
// rounds: a read is over after as many rounds as it has slices, however long the reads of others take. An organization has a few under way
// at once and a bounded number waiting. A read whose client has closed the connection ends at its next slice, where it is of a request that
// changes nothing.

import type { Clock } from '../../runtime/clock.js'
import { overloaded, timeout } from '../../runtime/errors.js'
import { laterTurn } from '../../runtime/thread/event-loop-turns.js'
import { createFairQueue } from '../../runtime/thread/fair-queue.js'
import { limits } from './limits.js'

/** A read that is under way; whoever began it ends it, however it ends. */
export interface LongRead {
  /** Whether its slice is over: then it pauses before it goes on. */
  isOver(): boolean
  /** Resolves with the next slice. Rejects with `timeout` where nobody waits for what it reads any more. */
  pause(): Promise<void>
  end(): void
}

/** Resolves with the first slice when it is the organization's turn. Rejects with `overloaded` where too many wait. */
export type BeginRead = () => Promise<LongRead>

/**
 * A read that is short until it pauses for the first time, and has to wait for its turn then. With a clock, it may be as long as a slice before;
 * without one, whoever reads knows when it has done as much.
 */
export function longOncePaused(begin: BeginRead, clock?: Pick<Clock, 'monotonic'>): LongRead {
  const shortUntil = clock === undefined ? 0 : clock.monotonic() + limits.readSliceMs
  let read: LongRead | undefined
  return {
    isOver: () => read?.isOver() ?? (clock === undefined || clock.monotonic() >= shortUntil),
    async pause() {
      if (read === undefined) read = await begin()
      else await read.pause()
    },
    end: () => read?.end(),
  }
}

/** For the few reads that no caller can make long: they go on in turns with those of other organizations, but wait to begin for none. */
export const beginAtOnce =
  (organizationId: string): BeginRead =>
  () =>
    Promise.resolve({ isOver: () => true, pause: () => laterTurn(organizationId), end: () => undefined })

export interface LongReadStatistics {
  readonly underWay: number
  readonly waiting: number
  readonly refused: number
  /** Ended because nobody waited for them any more. */
  readonly abandoned: number
}

export interface LongReads {
  /** A read ends at its next slice once `isGone`. The reads of an organization that wait are taken from its credentials in turn. */
  of(organizationId: string, isGone?: () => boolean, credential?: string): BeginRead
  statistics(): LongReadStatistics
}

/** The reads of one request: they end once its client is gone. */
export const whileWaitedFor = (longReads: LongReads, isGone: () => boolean, credential?: string): LongReads => ({
  ...longReads,
  of: (organizationId) => longReads.of(organizationId, isGone, credential),
})

export function createLongReads(clock: Pick<Clock, 'monotonic'>): LongReads {
  const queue = createFairQueue({
    atOnce: limits.longReads,
    atOncePerOwner: limits.longReadsPerOrganization,
    waitingPerOwner: limits.waitingReadsPerOrganization,
    waitingPerMember: limits.waitingReadsPerCredential,
    waiting: limits.waitingReads,
  })
  let refused = 0
  let abandoned = 0

  async function start(organizationId: string, isGone: () => boolean, end: () => void): Promise<LongRead> {
    let endsAt = 0
    async function pause(): Promise<void> {
      await laterTurn(organizationId)
      if (isGone()) {
        abandoned++
        end()
        throw timeout('the client closed the connection before its answer')
      }
      endsAt = clock.monotonic() + limits.readSliceMs
    }
    await pause()
    return { isOver: () => clock.monotonic() >= endsAt, pause, end }
  }

  return {
    of:
      (organizationId, isGone = () => false, credential) =>
      () =>
        new Promise((resolve, reject) => {
          const turn = queue.run(
            organizationId,
            () => new Promise<void>((end) => void start(organizationId, isGone, end).then(resolve, reject)),
            credential,
          )
          if (turn !== undefined) return
          refused++
          const retryAfterSeconds = limits.readRetryAfterSeconds
          reject(
            overloaded('too many long reads of this organization are waiting; try again later', { retryAfterSeconds }),
          )
        }),
    statistics: () => ({ underWay: queue.underWay, waiting: queue.waiting, refused, abandoned }),
  }
}
