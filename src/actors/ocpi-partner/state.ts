// What a partner's actor holds in memory: its row, what has changed since the partner was told, and what it has been told. All of it may be lost:
// what was not stored as told is read, made and sent again, and objects say the same when they are sent twice.

import { createExchangeLog, type ExchangeLog } from '../../ocpi/exchange-log.js'
import { type OcpiPartner, ocpiPartnersTable } from '../../records/ocpi-partner.js'
import { type OcpiProgress, ocpiCdrPushesTable, ocpiProgressTable } from '../../records/ocpi-push.js'
import type { Context } from '../../runtime/actor/actor.js'
import { placeBefore } from '../../runtime/actor/outbox.js'
import type { DueCdr, LocationTold, OwedResult, Pending } from './item.js'
import { limits } from './limits.js'
import type { MemoryShares } from './memory-shares.js'
import type { OfferedTariffs } from './offered-tariffs.js'
import { readOwedResults } from './owed-results.js'
import type { RecentChanges } from './recent-changes.js'
import type { PushSource } from './source.js'
import { noWrites, type TurnWrites } from './turn-writes.js'
import type { Walks } from './walks.js'

export interface SessionTold {
  /** Undefined where it is not known what the partner was sent. */
  readonly mark: string | undefined
  /** Monotonic ms. */
  readonly at: number
}

export interface OcpiPartnerState {
  /** This memory, and no other: what was begun in one that was lost ends in the next. */
  readonly life: symbol
  readonly source: PushSource
  readonly recent: RecentChanges
  readonly offers: OfferedTariffs
  readonly shares: MemoryShares
  readonly walks: Walks
  readonly exchanges: ExchangeLog
  progress: OcpiProgress | undefined
  /** The newest event that was read. */
  seen: string
  /** There may be events behind it. */
  more: boolean
  /** The newest event of which CDRs know: further on than `seen` while there is no room for objects. And whether there may be more behind it. */
  billed: string
  moreToBill: boolean
  /** Monotonic ms: events are not read before. */
  readAfter: number
  /** The registration of the partner for which locations are read. */
  registration: string | undefined
  /** Wall ms: locations that have changed before were read. */
  locationsSeen: number
  /** Of those that changed at just this time, the last one that was read; undefined where all are to be read again. */
  locationSeen: string | undefined
  /** There may be some that have changed since. */
  moreLocations: boolean
  unstored: number
  /** Monotonic ms. */
  storedAt: number
  /** By key. Those that are due, in the order in which they became so, and those that are not yet. */
  readonly ready: Map<string, Pending>
  readonly readyLocations: Map<string, Pending>
  readonly waiting: Map<string, Pending>
  /** Whose call is under way. */
  readonly underWay: Map<string, Pending>
  /** Locations in all of them. */
  locationsPending: number
  /** A turn has looked at as many of those that are due as it may. */
  isCut: boolean
  /** The earliest of those that wait, monotonic ms, or earlier. */
  nextDueAt: number
  /** By session. */
  readonly cdrs: Map<string, DueCdr>
  /** The earliest of those that are to be made, and to be sent, steady ms. */
  nextBillAt: number | undefined
  nextCdrAt: number | undefined
  written: TurnWrites
  /** The session behind which CDRs are compared, and when, monotonic ms. */
  comparison: { readonly behind: string | undefined; readonly dueAt: number }
  results: OwedResult[]
  /** Reasons of wake-ups: parties that their hub reaches again, and for which something was held. */
  readonly reached: Set<string>
  calls: number
  resultCalls: number
  /** How many may be under way. */
  allowed: number
  /** Failures since the last success. */
  failuresInARow: number
  pauses: number
  /** Monotonic ms: no call begins before, and what began before it counts as one failure. */
  pausedUntil: number
  pausedSince: number
  /** What the partner was sent of each location. */
  readonly locations: Map<string, LocationTold>
  /** So many of them, with what other partners of the shard need. */
  mostLocations: number
  /** Sessions that it knows and that go on, the one that was sent longest ago first. */
  readonly running: Map<string, SessionTold>
  /** The stored sessions that run are still to be listed, from behind this one on; undefined once they are. */
  unlisted: { readonly behind: string | undefined; readonly count: number } | undefined
  /** Monotonic ms of the next look at what no event tells of. */
  nextLookAt: number
  /** Tariffs that the partner does not want, as they were. */
  readonly refusedTariffs: Map<string, string>
  /** The partner has registered, and its organization is a party. */
  isActive: boolean
  timerAt: number | undefined
  lastLane: 'locations' | 'objects' | 'cdrs'
}

/** Undefined where it was deleted. */
export function rowOf(context: Context): OcpiPartner | undefined {
  return context.read().get(ocpiPartnersTable, [context.id])
}

export function partnerOf(context: Context): OcpiPartner | undefined {
  const partner = rowOf(context)
  return partner?.status === 'registered' && partner.connection !== undefined ? partner : undefined
}

/** What has happened since is the partner's to know. */
function registeredAt(context: Context): number {
  const partner = rowOf(context)
  const since = Date.parse(partner?.registered_at ?? partner?.created_at ?? '')
  return Number.isNaN(since) ? context.now() : since
}

/** What the partners of a shard have in common. */
export type Shared = Pick<OcpiPartnerState, 'source' | 'recent' | 'offers' | 'shares' | 'walks'>

export function loadState(context: Context, shared: Shared): OcpiPartnerState {
  const view = context.read()
  const progress = view.get(ocpiProgressTable, [context.id])
  const [firstBill] = view.listBy(ocpiCdrPushesTable, 'toBill', [context.id], { limit: 1 })
  const [firstCdr] = view.listBy(ocpiCdrPushesTable, 'due', [context.id], { limit: 1 })
  const registration = rowOf(context)?.registered_at
  // A partner that has just registered is sent all locations.
  const isOfAnother =
    progress === undefined || (progress.registered_at !== undefined && progress.registered_at !== registration)
  const seen = progress?.cursor ?? placeBefore(registeredAt(context))
  return {
    life: Symbol(context.id),
    ...shared,
    exchanges: createExchangeLog(),
    progress,
    seen,
    more: true,
    billed: seen,
    moreToBill: true,
    readAfter: 0,
    registration,
    locationsSeen: isOfAnother ? 0 : progress.locations_from,
    locationSeen: undefined,
    moreLocations: true,
    unstored: progress === undefined ? limits.ocpiUnstoredEvents : 0,
    storedAt: 0,
    ready: new Map(),
    readyLocations: new Map(),
    waiting: new Map(),
    underWay: new Map(),
    locationsPending: 0,
    isCut: false,
    nextDueAt: Number.POSITIVE_INFINITY,
    cdrs: new Map(),
    nextBillAt: firstBill?.bill_at,
    nextCdrAt: firstCdr?.next_attempt_at,
    written: noWrites(context.turn),
    comparison: { behind: undefined, dueAt: shared.walks.next(context.monotonic()) },
    results: readOwedResults(shared.source, context),
    reached: new Set(),
    calls: 0,
    resultCalls: 0,
    allowed: progress?.failing_since === undefined ? limits.ocpiFirstPushes : 1,
    failuresInARow: 0,
    pauses: 0,
    pausedUntil: 0,
    pausedSince: 0,
    locations: new Map(),
    mostLocations: limits.ocpiRemembered,
    running: new Map(),
    unlisted: { behind: undefined, count: 0 },
    nextLookAt: 0,
    refusedTariffs: new Map(),
    isActive: false,
    timerAt: undefined,
    lastLane: 'cdrs',
  }
}

export function pendingCount({ ready, readyLocations, waiting, underWay }: OcpiPartnerState): number {
  return ready.size + readyLocations.size + waiting.size + underWay.size
}

/** Those that were put there longest ago go when there are too many. */
export function remember<Value>(
  map: Map<string, Value>,
  key: string,
  value: Value,
  most: number = limits.ocpiRemembered,
): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= most) return
    map.delete(oldest)
  }
}
