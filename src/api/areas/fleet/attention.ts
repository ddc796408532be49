// What needs attention in one fleet: worked out in slices between other work, once for all who ask within a while, and only for somebody who asks.

import type { Clock } from '../../../runtime/clock.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { LongReads } from '../../pipeline/long-reads.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { causesOf, createCensus, isNotable } from './causes.js'
import type { FleetRow } from './fleet-row.js'
import { limits } from './limits.js'
import { reportsOf } from './reports.js'
import type { RowSource } from './row-source.js'
import { createSharedWork, type IsGone, type SharedWork } from './shared-work.js'

export interface Attention {
  answer(isGone: IsGone): Promise<object>
}

export interface AttentionOptions {
  readonly source: RowSource
  readonly view: () => ReadView
  readonly longReads: Pick<LongReads, 'of'>
  readonly clock: Clock
  /** How long an answer is good for. */
  readonly everyMs: number
}

export function createAttention({ source, view, longReads, clock, everyMs }: AttentionOptions): Attention {
  let newest: { readonly at: number; readonly work: SharedWork<object> } | undefined

  async function workOut({ isUnwanted }: SharedWork<object>): Promise<object> {
    const read = await longReads.of(source.organizationId, isUnwanted)()
    try {
      const now = clock.now()
      const census = createCensus()
      const notable: FleetRow[] = []
      const rows = source.read()
      for (let some = rows.next(limits.rowsPerStep); some.length > 0; some = rows.next(limits.rowsPerStep)) {
        for (const row of some) {
          census.add(row)
          if (isNotable(row)) notable.push(row)
        }
        if (read.isOver()) await read.pause()
      }
      const reports = reportsOf(view(), source.organizationId, now)
      const steps = causesOf(notable, census, { reports, rowOf: source.get, now })
      for (;;) {
        const step = steps.next()
        if (step.done === true) return { as_of: formatTimestamp(now), ...step.value }
        if (read.isOver()) await read.pause()
      }
    } finally {
      read.end()
    }
  }

  return {
    answer(isGone) {
      const now = clock.monotonic()
      if (newest === undefined || newest.work.isAbandoned || now - newest.at >= everyMs) {
        const one = { at: now, work: createSharedWork<object>(clock) }
        newest = one
        workOut(one.work).then(one.work.done, (error: unknown) => {
          // Whoever asks next is not told of what failed before.
          if (newest === one) newest = undefined
          one.work.failed(error)
        })
      }
      return newest.work.wait(isGone)
    },
  }
}
