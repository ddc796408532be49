// The fleets that a front keeps, and who is told of them: snapshots, streams, and what needs attention. Knows no socket: a stream is asked for the next part when its
// reader has room for it. A fleet that there is no room to keep is read from the store for each page.

import type { Logger } from 'pino'
import { chargePointsTable } from '../../../records/charge-point.js'
import type { LiveNodes } from '../../../records/presence.js'
import type { Clock } from '../../../runtime/clock.js'
import { overloaded } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { LongReads } from '../../pipeline/long-reads.js'
import type { FleetSource, FleetStreamOptions } from '../../pipeline/services.js'
import { summaryOf } from '../charge-points/fleet.js'
import type { StreamRoom } from '../events/stream-room.js'
import { type Attention, createAttention } from './attention.js'
import { createFleetStreams, type FleetStreams } from './fleet-streams.js'
import { createKeptFleet, type KeptFleet } from './kept-fleet.js'
import { limits } from './limits.js'
import { keptRows, type RowSource, storedRows } from './row-source.js'
import { createSharedWork, type IsGone, inTime, type SharedWork } from './shared-work.js'
import { createSnapshots, type Snapshots } from './snapshots.js'

export interface Fleets extends FleetSource {
  /** Organizations that have new events. */
  appended(organizationIds: readonly string[]): void
  /** Every `limits.tickMs`. */
  tick(): void
  /** Ends all streams. */
  end(): void
  statistics(): FleetStatistics
}

export interface FleetStatistics {
  /** Organizations and charge points that are kept. */
  readonly fleets: number
  readonly rows: number
  readonly streams: number
}

export interface FleetsOptions {
  readonly view: () => ReadView
  readonly live: LiveNodes
  readonly clock: Clock
  readonly longReads: Pick<LongReads, 'of'>
  readonly room: StreamRoom
  readonly log?: Pick<Logger, 'error'>
}

/** What is answered from rows, wherever they come from. */
interface Answers {
  readonly snapshots: Snapshots
  readonly attention: Attention
  usedAt: number
}

interface Kept extends Answers {
  readonly fleet: KeptFleet
  readonly streams: FleetStreams
  /** The first reading of the fleet, which all wait for who ask meanwhile. */
  readonly reading: SharedWork<void>
  /** How many charge points it will have when it has been read. */
  readonly expected: number
  /** Until then it is read for a stream that may be opened. */
  wantedUntil: number
  sweptAt: number
}

export function createFleets({ view, live, clock, longReads, room, log }: FleetsOptions): Fleets {
  /** The one that was asked for last is the last. */
  const kept = new Map<string, Kept>()
  /** Of organizations for whose fleet there was no room when they asked. */
  const roomless = new Map<string, Answers>()
  let ending = false
  let ticks = 0

  const failed = (organization: string) => (error: unknown) =>
    log?.error({ err: error, organization }, 'the fleet could not be read')

  const chargePointsOf = (organizationId: string): number =>
    view().total(chargePointsTable, 'byOrganization', [organizationId])

  function answersFrom(source: RowSource, attentionMs: number): Answers {
    return {
      snapshots: createSnapshots({ source, longReads, clock }),
      attention: createAttention({ source, view, longReads, clock, everyMs: attentionMs }),
      usedAt: clock.monotonic(),
    }
  }

  function use(organizationId: string): Kept {
    const known = kept.get(organizationId)
    // One that nobody waited for any more ends.
    const isOver = known !== undefined && !known.fleet.isReady && known.reading.isAbandoned
    if (isOver) drop(known)
    const entry = known === undefined || isOver ? begin(organizationId) : known
    entry.usedAt = clock.monotonic()
    kept.delete(organizationId)
    kept.set(organizationId, entry)
    return entry
  }

  function begin(organizationId: string): Kept {
    const reading = createSharedWork<void>(clock)
    const isWanted = (): boolean =>
      entry.streams.size > 0 || clock.monotonic() < entry.wantedUntil || !reading.isUnwanted()
    const fleet = createKeptFleet({ organizationId, view, live, clock, isWanted })
    const summary = () => summaryOf(organizationId, { view: view(), live, now: clock.now() })
    const entry: Kept = {
      ...answersFrom(keptRows(fleet), limits.attentionMs),
      fleet,
      streams: createFleetStreams({ fleet, summary, clock, room }),
      reading,
      expected: chargePointsOf(organizationId),
      wantedUntil: 0,
      sweptAt: 0,
    }
    fleet.ready().then(
      () => {
        if (fleet.isReady) {
          reading.done()
          return
        }
        drop(entry)
        reading.failed(overloaded('the fleet is not read any more; try again'))
      },
      (error: unknown) => {
        failed(organizationId)(error)
        drop(entry)
        reading.failed(error)
      },
    )
    return entry
  }

  function drop(entry: Kept): void {
    const { fleet, streams } = entry
    if (kept.get(fleet.organizationId) === entry) kept.delete(fleet.organizationId)
    fleet.end()
    streams.end()
  }

  const sizeOf = ({ fleet, expected }: Kept): number =>
    fleet.isReady ? fleet.columns.size : Math.max(fleet.columns.size, expected)

  const rowsKept = (): number => [...kept.values()].reduce((sum, entry) => sum + sizeOf(entry), 0)

  /** Those that nobody watches go, where that is enough. False where there is no room for a fleet of so many charge points beside those that are watched. */
  function makeRoom(rows: number): boolean {
    const mayGo = ({ fleet, streams }: Kept): boolean => fleet.isReady && streams.size === 0
    const others = [...kept.values()]
    const staying = others.filter((entry) => !mayGo(entry))
    const rowsStaying = staying.reduce((sum, entry) => sum + sizeOf(entry), 0)
    if (rowsStaying + rows > limits.keptRows || staying.length >= limits.keptFleets) return false
    for (const other of others.filter(mayGo)) {
      if (rowsKept() + rows <= limits.keptRows && kept.size < limits.keptFleets) break
      drop(other)
    }
    return true
  }

  const hasRoom = (organizationId: string): boolean =>
    kept.has(organizationId) || makeRoom(chargePointsOf(organizationId))

  function useRoomless(organizationId: string): Answers {
    const source = storedRows({ organizationId, view, live, clock })
    const entry = roomless.get(organizationId) ?? answersFrom(source, limits.storedAttentionMs)
    entry.usedAt = clock.monotonic()
    roomless.set(organizationId, entry)
    return entry
  }

  /** Resolves when what there is to read has been read. */
  async function answersFor(organizationId: string, isGone: IsGone): Promise<Answers> {
    if (!hasRoom(organizationId)) return useRoomless(organizationId)
    const entry = use(organizationId)
    await entry.reading.wait(isGone)
    return entry
  }

  /** Those whose turn was longest ago: however many fleets are kept, no more of them than a few are swept in one turn of the event loop. */
  function sweepSome(now: number): void {
    const longestAgo = [...kept.values()].sort((one, other) => one.sweptAt - other.sweptAt)
    for (const entry of longestAgo.slice(0, limits.fleetsSweptPerSecond)) {
      entry.sweptAt = now
      entry.fleet.sweep(limits.sweptPerSecond)
    }
  }

  function forgetRoomless(now: number): void {
    for (const [organizationId, { snapshots, usedAt }] of roomless) {
      snapshots.tick()
      if (now - usedAt > limits.keptUnwatchedMs) roomless.delete(organizationId)
    }
  }

  return {
    async page(organizationId, query, compressed, isGone) {
      const answers = await answersFor(organizationId, isGone)
      const fleet = kept.get(organizationId)?.fleet
      if (fleet !== undefined) {
        // Whoever has changed something sees it. What is under way may have begun before that.
        await inTime(fleet.advance())
        fleet.grow()
        await inTime(fleet.advance())
      }
      return answers.snapshots.page(query, compressed, isGone)
    },
    stream(options: FleetStreamOptions) {
      const { organizationId, callerId } = options
      room.demand(organizationId, callerId)
      if (ending) throw overloaded('the service is stopping')
      // Before anything is read: who comes again and again would have it read each time.
      if (!hasRoom(organizationId))
        throw overloaded('too many charge points are watched at the moment; try again later', { retryAfterSeconds: 60 })
      const entry = use(organizationId)
      entry.wantedUntil = clock.monotonic() + limits.streamOpensMs
      return entry.streams.stream(options)
    },
    isKept: (organizationId) => kept.get(organizationId)?.fleet.isReady === true,
    async attention(organizationId, isGone) {
      const { attention } = await answersFor(organizationId, isGone)
      return attention.answer(isGone)
    },
    appended(organizationIds) {
      for (const id of organizationIds) kept.get(id)?.fleet.grow()
    },
    tick() {
      ticks++
      const now = clock.monotonic()
      const isSecond = (ticks * limits.tickMs) % 1_000 === 0
      const isWatchTime = (ticks * limits.tickMs) % limits.watchMs === 0
      if (isSecond) sweepSome(now)
      forgetRoomless(now)
      for (const entry of [...kept.values()]) {
        const { fleet, streams, snapshots } = entry
        if (streams.size > 0) entry.usedAt = now
        if (now - entry.usedAt > limits.keptUnwatchedMs) {
          drop(entry)
          continue
        }
        snapshots.tick()
        if (isWatchTime) fleet.readAgain(streams.watched())
        fleet.advance().then(streams.tick, failed(fleet.organizationId))
      }
    },
    end() {
      ending = true
      for (const { streams } of kept.values()) streams.end()
    },
    statistics: () => ({
      fleets: kept.size,
      rows: rowsKept(),
      streams: [...kept.values()].reduce((sum, { streams }) => sum + streams.size, 0),
    }),
  }
}
