// Where the rows of a fleet are read from, some at a time and in the order of their ids: the columns that are kept of it, or the store, for a fleet that there is no room to keep.

import { chargePointsTable } from '../../../records/charge-point.js'
import type { LiveNodes } from '../../../records/presence.js'
import { newestPlace } from '../../../runtime/actor/outbox.js'
import type { Clock } from '../../../runtime/clock.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { contextOf, type FleetContext, type FleetRow, readRow, rowOf } from './fleet-row.js'
import type { KeptFleet } from './kept-fleet.js'
import { limits } from './limits.js'

export interface RowReader {
  /** The newest event that the rows include. */
  readonly cursor: string
  readonly total: number
  /** The next few; none behind the last. */
  next(count: number): readonly FleetRow[]
}

export interface RowSource {
  readonly organizationId: string
  /** What was read at a version may be shown as long as it is the same. */
  version(): string
  read(after?: string): RowReader
  get(chargePointId: string): FleetRow | undefined
}

/** Whoever reads goes on behind the last row, so that charge points that come or go meanwhile shift nothing. */
export function keptRows(fleet: KeptFleet): RowSource {
  return {
    organizationId: fleet.organizationId,
    // Both only grow.
    version: () => `${fleet.changes.next + fleet.generation}`,
    read(after) {
      const { cursor, columns } = fleet
      let last = after
      return {
        cursor,
        total: columns.size,
        next(count) {
          const ids = fleet.columns.idsAfter(last, count)
          last = ids.at(-1) ?? last
          return ids.flatMap((id) => fleet.columns.get(id) ?? [])
        },
      }
    },
    get: (id) => fleet.columns.get(id),
  }
}

export interface StoredRowsOptions {
  readonly organizationId: string
  readonly view: () => ReadView
  readonly live: LiveNodes
  readonly clock: Clock
}

/** A row costs some ten times as much as a kept one. So that many who ask share a page, one counts as new for a while, whatever happens meanwhile. */
export function storedRows({ organizationId, view, live, clock }: StoredRowsOptions): RowSource {
  const contextNow = (): FleetContext => contextOf(view(), organizationId, live, clock.now())
  return {
    organizationId,
    version: () => `${Math.floor(clock.monotonic() / limits.storedPageMs)}`,
    read(after) {
      const cursor = newestPlace(view(), organizationId)
      const total = view().total(chargePointsTable, 'byOrganization', [organizationId])
      let context = contextNow()
      let renewAt = clock.monotonic() + limits.fleetSliceMs
      let last = after
      return {
        cursor,
        total,
        next(count) {
          if (clock.monotonic() >= renewAt) {
            context = contextNow()
            renewAt = clock.monotonic() + limits.fleetSliceMs
          }
          const query = { ...(last !== undefined && { from: [`${last}\0`] }), limit: count }
          const found = context.view.listBy(chargePointsTable, 'byOrganization', [organizationId], query)
          last = found.at(-1)?.charge_point_id ?? last
          return found.map((row) => rowOf(row, context))
        },
      }
    },
    get: (id) => readRow(id, contextNow()),
  }
}
