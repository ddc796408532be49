// The refused attempts that are certainly of one charge point, from the lists in which they stand: the newest, the first since an instant, and how
// many there were in each hour. Costs what it finds: lists are read by their ends and counted by their keys.

import { type ConnectionAttempt, connectionAttemptsTable, hourOf } from '../../../records/connection-attempt.js'
import { lowestIdAt } from '../../../runtime/ids.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Key } from '../../../runtime/store/table.js'
import { countBetween, type List, type Long } from '../../pipeline/paging.js'
import { limits } from './limits.js'

/** Attempts in the order of time. */
export interface AttemptList extends List {
  /** What the entries of the list have in common before the id of the attempt. */
  readonly prefix: Key
  /** Of those that share the list with others. */
  readonly keep: (attempt: ConnectionAttempt) => boolean
  /** Whether all in the list are kept, so that it can be counted. */
  readonly isWhole: boolean
  /** Of the index `repeated`, without the hour. */
  readonly repeated: Key
}

interface Bounds {
  /** Wall ms. */
  readonly from: number
  readonly to: number
}

function between({ prefix }: AttemptList, { from, to }: Bounds): { readonly from: Key; readonly to: Key } {
  return { from: [...prefix, lowestIdAt('att', from)], to: [...prefix, lowestIdAt('att', to)] }
}

const hourMs = 3_600_000
const hours = 24
const afterAll = 2 ** 47

/** The newest first. */
export function newestAttempts(
  view: ReadView,
  lists: readonly AttemptList[],
  most = limits.lastAttempts,
): readonly ConnectionAttempt[] {
  return lists
    .flatMap((list) => {
      const query = { ...between(list, { from: 0, to: afterAll }), reverse: true, limit: limits.attemptsOfOne }
      const rows = view.listBy(connectionAttemptsTable, list.index, list.group, query)
      return rows.filter(list.keep)
    })
    .sort((one, other) => (one.attempt_id < other.attempt_id ? 1 : -1))
    .slice(0, most)
}

/** `since`: wall ms. */
export function firstAttempt(
  view: ReadView,
  lists: readonly AttemptList[],
  since: number,
): ConnectionAttempt | undefined {
  const [first] = lists
    .flatMap((list) => {
      const query = { ...between(list, { from: since, to: afterAll }), limit: limits.attemptsOfOne }
      const [row] = view.listBy(connectionAttemptsTable, list.index, list.group, query).filter(list.keep)
      return row ?? []
    })
    .sort((one, other) => (one.attempt_id < other.attempt_id ? -1 : 1))
  return first
}

/** By whole hours, the last of which is the one that is passing. */
export async function attemptsByHour(
  { view, begin }: { readonly view: ReadView } & Long,
  lists: readonly AttemptList[],
  now: number,
): Promise<{ readonly at: string; readonly count: number }[]> {
  const counted = []
  const last = Math.floor(now / hourMs) * hourMs
  for (let from = last - (hours - 1) * hourMs; from <= last; from += hourMs) {
    let count = 0
    for (const list of lists) {
      const bounds = between(list, { from, to: from + hourMs })
      if (list.isWhole) {
        count += await countBetween({ view, begin, table: connectionAttemptsTable, list, between: bounds })
        count += view.total(connectionAttemptsTable, 'repeated', [...list.repeated, hourOf(from)])
      } else {
        const rows = view.listBy(connectionAttemptsTable, list.index, list.group, {
          ...bounds,
          limit: limits.attemptsOfOne,
        })
        for (const row of rows) if (list.keep(row)) count += row.times ?? 1
      }
    }
    counted.push({ at: new Date(from).toISOString(), count })
  }
  return counted
}
