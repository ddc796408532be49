// What each connector has drawn over a period, in buckets: the least, the mean and the most of its meter values. Of a meter that shows no power, what its
// register has grown by. Read in slices.

import { drawnWatts } from '../../../actors/charge-point/draws.js'
import { type MeterValues, meterValuesTable } from '../../../records/meter-values.js'
import { type Session, sessionsTable } from '../../../records/session.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { type LongRead, longOncePaused } from '../../pipeline/long-reads.js'
import { type Long, walkWithin } from '../../pipeline/paging.js'
import { limits } from './limits.js'

export interface Buckets {
  /** Wall ms. */
  readonly from: number
  readonly to: number
  readonly bucketMs: number
  readonly count: number
}

export interface PowerSeries {
  readonly connector_id: number
  readonly min_watts: (number | null)[]
  readonly avg_watts: (number | null)[]
  readonly max_watts: (number | null)[]
}

interface Summed {
  readonly series: PowerSeries
  readonly sums: number[]
  readonly counts: number[]
}

const hourMs = 3_600_000
/** Two readings of a register that are further apart tell nothing of the time between. */
const longestGapMs = hourMs

export async function powerSeries(
  { view, begin }: { readonly view: ReadView } & Long,
  { organizationId, chargePointId }: { readonly organizationId: string; readonly chargePointId: string },
  buckets: Buckets,
): Promise<readonly PowerSeries[]> {
  const all = new Map<number, Summed>()
  function add(connectorId: number, at: number, watts: number): void {
    const place = Math.floor((at - buckets.from) / buckets.bucketMs)
    if (place < 0 || place >= buckets.count) return
    const summed = all.get(connectorId) ?? begun(all, connectorId, buckets.count)
    if (summed === undefined) return
    const { series, sums, counts } = summed
    const value = Math.round(watts)
    series.min_watts[place] = Math.min(series.min_watts[place] ?? value, value)
    series.max_watts[place] = Math.max(series.max_watts[place] ?? value, value)
    sums[place] = (sums[place] ?? 0) + value
    counts[place] = (counts[place] ?? 0) + 1
  }
  const read = longOncePaused(begin)
  try {
    for await (const session of sessionsIn(view, [organizationId, chargePointId], buckets, read)) {
      let before: MeterValues | undefined
      let from = buckets.from
      for (;;) {
        const query = { from: [from], to: [buckets.to], limit: limits.meterValuesPerStep }
        const rows = view.list(meterValuesTable, [session.session_id], query)
        for (const row of rows) {
          const watts = drawnWatts(row) ?? grownBy(before, row)
          if (watts !== undefined) add(session.connector_id, row.at, watts)
          before = row
        }
        const last = rows.at(-1)
        if (last === undefined || rows.length < limits.meterValuesPerStep) break
        from = last.at + 1
        if (read.isOver()) await read.pause()
      }
      if (read.isOver()) await read.pause()
    }
  } finally {
    read.end()
  }
  for (const { series, sums, counts } of all.values())
    for (let at = 0; at < buckets.count; at++) {
      const count = counts[at] ?? 0
      if (count > 0) series.avg_watts[at] = Math.round((sums[at] ?? 0) / count)
    }
  return [...all.values()].map(({ series }) => series).sort((one, other) => one.connector_id - other.connector_id)
}

/** Undefined for one beyond those that a charge point can have: the arrays of each are as long as the series. */
function begun(all: Map<number, Summed>, connectorId: number, count: number): Summed | undefined {
  if (all.size >= limits.connectorsOfSeries) return undefined
  const empty = (): (number | null)[] => new Array<number | null>(count).fill(null)
  const summed: Summed = {
    series: { connector_id: connectorId, min_watts: empty(), avg_watts: empty(), max_watts: empty() },
    sums: [],
    counts: [],
  }
  all.set(connectorId, summed)
  return summed
}

function grownBy(before: MeterValues | undefined, after: MeterValues): number | undefined {
  if (before?.energy_wh === undefined || after.energy_wh === undefined) return undefined
  const ms = after.at - before.at
  const wattHours = after.energy_wh - before.energy_wh
  return ms <= 0 || ms > longestGapMs || wattHours < 0 ? undefined : (wattHours * hourMs) / ms
}

/** Those before the period that may have gone on into it, and those that began in it, a few at a time. */
async function* sessionsIn(
  view: ReadView,
  group: readonly [organizationId: string, chargePointId: string],
  { from, to }: Buckets,
  read: LongRead,
): AsyncIterable<Session> {
  const earlier = view.listBy(sessionsTable, 'startsAtChargePoint', group, {
    to: [from],
    reverse: true,
    limit: limits.earlierSessionsOfSeries,
  })
  yield* earlier.filter(({ ended_at }) => ended_at === undefined || Date.parse(ended_at) > from)
  const list = { index: 'startsAtChargePoint', group }
  let count = 0
  for await (const rows of walkWithin(read, {
    view,
    table: sessionsTable,
    list,
    between: { from: [from], to: [to] },
  })) {
    yield* rows
    count += rows.length
    if (count >= limits.sessionsOfSeries) return
  }
}
