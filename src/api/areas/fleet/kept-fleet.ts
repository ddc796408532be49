// The fleet of one organization as a front keeps it while somebody watches: read once, and then kept current by the events of the organization,
// which name the charge points that have changed. When more happens than can be followed, it waits for calm, and is read anew.

import { chargePointsTable } from '../../../records/charge-point.js'
import type { LiveNodes } from '../../../records/presence.js'
import { eventsAfter, hasLostEvents, newestPlace } from '../../../runtime/actor/outbox.js'
import type { Clock } from '../../../runtime/clock.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { laterTurn } from '../../../runtime/thread/event-loop-turns.js'
import { type ChangeLog, createChangeLog } from './change-log.js'
import { createFleetColumns, type FleetColumns } from './fleet-columns.js'
import { contextOf, type FleetContext, type FleetRow, readRow, rowOf } from './fleet-row.js'
import { limits } from './limits.js'

export interface KeptFleet {
  readonly organizationId: string
  /** What the rows show includes all events up to here. */
  readonly cursor: string
  readonly columns: FleetColumns
  readonly changes: Pick<ChangeLog, 'next' | 'after' | 'from'>
  /** Grows whenever it was read anew: what has changed in between is not known. */
  readonly generation: number
  readonly isReady: boolean
  /** More happens than can be followed. */
  readonly isInStorm: boolean
  /** Resolves when it has been read, or nobody wants it any more. */
  ready(): Promise<void>
  /** There are new events. */
  grow(): void
  /** Reads what there is to read, or goes on with it; resolves when that has been read. */
  advance(): Promise<void>
  /** Reads charge points again of which no event speaks: what draws power changes all the time. */
  readAgain(chargePointIds: Iterable<string>): void
  /** Reads the next few of all again. */
  sweep(count: number): void
  /** What is under way ends at its next step. */
  end(): void
}

export interface KeptFleetOptions {
  readonly organizationId: string
  readonly view: () => ReadView
  readonly live: LiveNodes
  readonly clock: Clock
  /** Whether anybody waits for it to be read for the first time: else that ends at its next step. */
  readonly isWanted: () => boolean
}

export function createKeptFleet({ organizationId, view, live, clock, isWanted }: KeptFleetOptions): KeptFleet {
  let columns = createFleetColumns()
  let cursor = newestPlace(view(), organizationId)
  /** Up to here, what events name is in `dirty`. */
  let readTo = cursor
  const dirty = new Set<string>()
  const changes = createChangeLog(cursor)
  let generation = 0
  let isReady = false
  let isBehind = true
  let advancing: Promise<void> | undefined
  let hasEnded = false
  let storm: { readonly began: number; lookedAt: number; place: string } | undefined
  let sweptTo: string | undefined
  let beginning: Promise<void> | undefined

  const contextNow = (): FleetContext => contextOf(view(), organizationId, live, clock.now())

  /** Other work of the thread has its turn; false when nobody wants any more what is being read. */
  async function pause(): Promise<boolean> {
    await laterTurn(organizationId)
    return !hasEnded && (isReady || isWanted())
  }

  /** The context of the rows that are read next, renewed after each slice; undefined once nobody wants them. */
  function inSlices(): () => FleetContext | Promise<FleetContext | undefined> {
    let context = contextNow()
    let ends = clock.monotonic() + limits.fleetSliceMs
    return () => {
      if (clock.monotonic() < ends) return context
      return pause().then((isWanted) => {
        if (!isWanted) return undefined
        context = contextNow()
        ends = clock.monotonic() + limits.fleetSliceMs
        return context
      })
    }
  }

  async function readAll(): Promise<void> {
    const start = newestPlace(view(), organizationId)
    const next = createFleetColumns()
    const slices = inSlices()
    for (let after: string | undefined; ; ) {
      const context = await slices()
      if (context === undefined) return
      const query = { ...(after !== undefined && { from: [`${after}\0`] }), limit: limits.rowsPerStep }
      const rows = context.view.listBy(chargePointsTable, 'byOrganization', [organizationId], query)
      for (const row of rows) next.put(rowOf(row, context))
      after = rows.at(-1)?.charge_point_id
      if (rows.length < limits.rowsPerStep) break
    }
    columns = next
    cursor = start
    readTo = start
    dirty.clear()
    changes.restart(start)
    generation++
    isReady = true
    isBehind = true
  }

  function readOne(id: string, context: FleetContext, place: string): void {
    const row = readRow(id, context)
    if (row === undefined) {
      if (columns.remove(id)) changes.add(id, place)
      return
    }
    const before = columns.get(id)
    const isOther = columns.put(row)
    if (isOther || before?.powerWatts !== row.powerWatts || before.lastSeenAt !== row.lastSeenAt) changes.add(id, place)
  }

  /** False where there are more events than can be followed. */
  async function readEvents(): Promise<boolean> {
    for (let count = 0; isBehind; ) {
      const rows = eventsAfter(view(), organizationId, readTo, limits.eventsPerStep)
      // What is about no charge point costs a read, and changes nothing.
      for (const { subject, data } of rows)
        dirty.add(typeof data.charge_point_id === 'string' ? data.charge_point_id : subject)
      readTo = rows.at(-1)?.id ?? readTo
      isBehind = rows.length === limits.eventsPerStep
      count += rows.length
      if (count >= limits.eventsPerGo || dirty.size > limits.rowsFollowed) return false
      if (isBehind && !(await pause())) break
    }
    return true
  }

  async function readDirty(): Promise<void> {
    const place = readTo
    const slices = inSlices()
    for (const id of dirty) {
      const next = slices()
      const context = next instanceof Promise ? await next : next
      if (context === undefined) return
      dirty.delete(id)
      readOne(id, context, place)
    }
    cursor = place
  }

  /** Whether it is over: few events have come since the last look, or it has been going on for long. */
  function isOver(current: NonNullable<typeof storm>): boolean {
    const now = clock.monotonic()
    if (now - current.lookedAt < 1_000) return false
    const seen = eventsAfter(view(), organizationId, current.place, limits.calmEventsPerSecond + 1).length
    current.lookedAt = now
    current.place = newestPlace(view(), organizationId)
    return seen <= limits.calmEventsPerSecond || now - current.began >= limits.stormMs
  }

  async function go(): Promise<void> {
    if (storm !== undefined) {
      if (!isOver(storm)) return
      await readAll()
      storm = undefined
      return
    }
    if (!isBehind && dirty.size === 0) return
    if (hasLostEvents(view(), organizationId, readTo)) return readAll()
    if (!(await readEvents())) {
      const now = clock.monotonic()
      storm = { began: now, lookedAt: now, place: newestPlace(view(), organizationId) }
      return
    }
    await readDirty()
    if (columns.shared > 3 * columns.size + limits.sharedValues) await makeAnew()
  }

  /** Copies the rows into new columns, which keep only values that a row still has. Only `go` calls it, one run at a time, so that no row changes meanwhile. */
  async function makeAnew(): Promise<void> {
    const next = createFleetColumns()
    let ends = clock.monotonic() + limits.fleetSliceMs
    let last: string | undefined
    for (;;) {
      const ids = columns.idsAfter(last, limits.rowsPerStep)
      for (const id of ids) next.put(columns.get(id) as FleetRow)
      last = ids.at(-1)
      if (last === undefined) break
      if (clock.monotonic() < ends) continue
      if (!(await pause())) return
      ends = clock.monotonic() + limits.fleetSliceMs
    }
    columns = next
  }

  const isBusy = (): boolean => !isReady || advancing !== undefined || storm !== undefined

  return {
    organizationId,
    changes,
    get cursor() {
      return cursor
    },
    get columns() {
      return columns
    },
    get generation() {
      return generation
    },
    get isReady() {
      return isReady
    },
    get isInStorm() {
      return storm !== undefined
    },
    ready() {
      beginning ??= readAll()
      return beginning
    },
    grow() {
      isBehind = true
    },
    advance() {
      if (!isReady || hasEnded) return Promise.resolve()
      advancing ??= go().finally(() => {
        advancing = undefined
      })
      return advancing
    },
    readAgain(chargePointIds) {
      for (const id of chargePointIds) dirty.add(id)
    },
    sweep(count) {
      if (isBusy()) return
      const context = contextNow()
      const query = { ...(sweptTo !== undefined && { from: [`${sweptTo}\0`] }), limit: count }
      const rows = context.view.listBy(chargePointsTable, 'byOrganization', [organizationId], query)
      for (const registration of rows) {
        const row = rowOf(registration, context)
        const id = registration.charge_point_id
        const before = columns.get(id)
        // When one was last heard changes all the time: that alone is told to who watches it.
        const isOther = columns.put({ ...row, lastSeenAt: before?.lastSeenAt ?? row.lastSeenAt })
        if (isOther || before?.powerWatts !== row.powerWatts) changes.add(id, cursor)
      }
      sweptTo = rows.length < count ? undefined : rows.at(-1)?.charge_point_id
    },
    end() {
      hasEnded = true
    },
  }
}
