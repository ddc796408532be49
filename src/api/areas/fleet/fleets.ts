// The fleets that a front keeps, and who is told of them: snapshots, streams, and what needs attention. Knows no socket: a stream is asked for the next part when its
// reader has room for it.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Logger } from 'pino'
import { chargePointsTable } from '../../../records/charge-point.js'
import type { LiveNodes } from '../../../records/presence.js'
import type { Clock } from '../../../runtime/clock.js'
import { overloaded } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { laterTurn } from '../../../runtime/thread/event-loop-turns.js'
import type { FleetPageQuery, FleetSource, FleetStreamOptions } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { summaryOf } from '../charge-points/fleet.js'
import type { StreamRoom } from '../events/stream-room.js'
import type { Cause } from './cause.js'
import { causesOf, createCensus, isNotable } from './causes.js'
import { createFleetEncoder } from './encode.js'
import type { FleetRow } from './fleet-row.js'
import { createFleetStreams, type FleetStreams } from './fleet-streams.js'
import { createKeptFleet, type KeptFleet } from './kept-fleet.js'
import { limits } from './limits.js'
import { reportsOf } from './reports.js'

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
  readonly room: StreamRoom
  readonly log?: Pick<Logger, 'error'>
}

interface Page {
  readonly version: number
  readonly plain: Promise<Uint8Array>
  compressed?: Promise<Uint8Array>
}

interface Kept {
  readonly fleet: KeptFleet
  readonly streams: FleetStreams
  readonly pages: Map<string, Page>
  attention: { readonly at: number; readonly answer: Promise<object> } | undefined
  usedAt: number
  sweptAt: number
}

const compress = promisify(gzip)
const fastest = { level: 1 }

export function createFleets({ view, live, clock, room, log }: FleetsOptions): Fleets {
  /** The one that was asked for last is the last. */
  const kept = new Map<string, Kept>()
  let ending = false
  let ticks = 0

  function use(organizationId: string): Kept {
    const known = kept.get(organizationId)
    const entry = known ?? begin(organizationId)
    entry.usedAt = clock.monotonic()
    kept.delete(organizationId)
    kept.set(organizationId, entry)
    return entry
  }

  function begin(organizationId: string): Kept {
    const fleet = createKeptFleet({ organizationId, view, live, clock })
    const summary = () => summaryOf(organizationId, { view: view(), live, now: clock.now() })
    const streams = createFleetStreams({ fleet, summary, clock, room })
    return { fleet, streams, pages: new Map(), attention: undefined, usedAt: clock.monotonic(), sweptAt: 0 }
  }

  function drop(entry: Kept): void {
    const { fleet, streams } = entry
    if (kept.get(fleet.organizationId) === entry) kept.delete(fleet.organizationId)
    fleet.end()
    streams.end()
  }

  const rowsKept = (): number => [...kept.values()].reduce((sum, { fleet }) => sum + fleet.columns.size, 0)

  /** Those that nobody watches go. False where there is no room for a fleet of so many charge points beside those that are watched. */
  function makeRoom(entry: Kept | undefined, rows = 0): boolean {
    const isTooMuch = (): boolean =>
      rowsKept() + rows > limits.keptRows || kept.size + (entry === undefined ? 1 : 0) > limits.keptFleets
    for (const other of [...kept.values()]) {
      if (!isTooMuch()) break
      if (other !== entry && other.fleet.isReady && other.streams.size === 0) drop(other)
    }
    return !isTooMuch()
  }

  /** Resolves when it has been read. */
  async function readyFleet(organizationId: string): Promise<Kept> {
    const entry = use(organizationId)
    try {
      await entry.fleet.ready()
    } catch (error) {
      drop(entry)
      throw error
    }
    if (!entry.fleet.isReady) throw overloaded('the fleet is not read any more; try again')
    if (!makeRoom(entry) && entry.streams.size === 0) kept.delete(organizationId)
    return entry
  }

  async function encodePage({ fleet }: Kept, { after, limit }: FleetPageQuery): Promise<Uint8Array> {
    const { cursor, columns } = fleet
    const asOf = formatTimestamp(clock.now())
    const all = columns.ids()
    const begin = after === undefined ? 0 : firstAfter(all, after)
    const ids = all.slice(begin, begin + limit)
    const encoder = createFleetEncoder()
    let ends = clock.monotonic() + limits.fleetSliceMs
    for (const [at, id] of ids.entries()) {
      const row = columns.get(id)
      if (row !== undefined) encoder.add(row)
      if (at % limits.rowsPerStep !== 0) continue
      encoder.flush()
      if (clock.monotonic() < ends) continue
      await laterTurn(fleet.organizationId)
      ends = clock.monotonic() + limits.fleetSliceMs
    }
    const next = begin + ids.length < all.length ? (ids.at(-1) ?? null) : null
    const head = JSON.stringify({ as_of: asOf, cursor, total: all.length, next })
    return Buffer.from(`${head.slice(0, -1)},${encoder.text()}}`)
  }

  /** Both only grow. */
  const versionOf = ({ changes, generation }: KeptFleet): number => changes.next + generation

  /** Those of an earlier version are sent to nobody any more. */
  function forgetFormerPages({ fleet, pages }: Kept): void {
    const version = versionOf(fleet)
    for (const [name, page] of pages) if (page.version !== version) pages.delete(name)
  }

  /** The same for all who ask while nothing has changed. */
  function pageOf(entry: Kept, query: FleetPageQuery): Page {
    const { fleet, pages } = entry
    const name = `${query.limit} ${query.after ?? ''}`
    const version = versionOf(fleet)
    const known = pages.get(name)
    if (known?.version === version) return known
    const page = { version, plain: encodePage(entry, query) }
    page.plain.catch(() => pages.delete(name))
    pages.set(name, page)
    for (const oldest of pages.keys()) {
      if (pages.size <= limits.keptPages) break
      pages.delete(oldest)
    }
    return page
  }

  async function attentionOf({ fleet }: Kept): Promise<object> {
    const now = clock.now()
    const census = createCensus()
    const notable: FleetRow[] = []
    let ends = clock.monotonic() + limits.fleetSliceMs
    let count = 0
    for (const row of fleet.columns.rows()) {
      census.add(row)
      if (isNotable(row)) notable.push(row)
      if (++count % limits.rowsPerStep !== 0 || clock.monotonic() < ends) continue
      await laterTurn(fleet.organizationId)
      ends = clock.monotonic() + limits.fleetSliceMs
    }
    const causes: readonly Cause[] = causesOf(notable, census, reportsOf(view(), fleet.organizationId, now), now)
    return { as_of: formatTimestamp(now), causes }
  }

  /** Those whose turn was longest ago: however many fleets are kept, no more of them than a few are swept in one turn of the event loop. */
  function sweepSome(now: number): void {
    const longestAgo = [...kept.values()].sort((one, other) => one.sweptAt - other.sweptAt)
    for (const entry of longestAgo.slice(0, limits.fleetsSweptPerSecond)) {
      entry.sweptAt = now
      entry.fleet.sweep(limits.sweptPerSecond)
    }
  }

  const failed = (organization: string) => (error: unknown) =>
    log?.error({ err: error, organization }, 'the fleet could not be read')

  return {
    async page(organizationId, query, compressed) {
      const entry = await readyFleet(organizationId)
      // Whoever has changed something sees it. What is under way may have begun before that.
      await entry.fleet.advance()
      entry.fleet.grow()
      await entry.fleet.advance()
      const page = pageOf(entry, query)
      const plain = await page.plain
      if (!compressed) return plain
      page.compressed ??= compress(plain, fastest)
      return page.compressed
    },
    stream(options: FleetStreamOptions) {
      const { organizationId, callerId } = options
      room.demand(organizationId, callerId)
      if (ending) throw overloaded('the service is stopping')
      // Before anything is read: who comes again and again would have it read each time.
      const rows = view().total(chargePointsTable, 'byOrganization', [organizationId])
      if (!kept.has(organizationId) && !makeRoom(undefined, rows))
        throw overloaded('too many charge points are watched at the moment; try again later', { retryAfterSeconds: 60 })
      const entry = use(organizationId)
      entry.fleet.ready().catch((error: unknown) => {
        failed(organizationId)(error)
        drop(entry)
      })
      return entry.streams.stream(options)
    },
    async attention(organizationId) {
      const entry = await readyFleet(organizationId)
      const now = clock.monotonic()
      if (entry.attention === undefined || now - entry.attention.at >= limits.attentionMs)
        entry.attention = { at: now, answer: attentionOf(entry) }
      return entry.attention.answer
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
      for (const entry of [...kept.values()]) {
        const { fleet, streams } = entry
        if (streams.size > 0) entry.usedAt = now
        if (now - entry.usedAt > limits.keptUnwatchedMs) {
          drop(entry)
          continue
        }
        forgetFormerPages(entry)
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

/** Of ids in order. */
function firstAfter(ids: readonly string[], after: string): number {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ids[middle] as string) <= after) low = middle + 1
    else high = middle
  }
  return low
}
