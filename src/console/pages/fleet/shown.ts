// Which charge points are shown, and in which order: made anew at once when the filter or the order is another, but while somebody points at the rows, or moves in them, what changes stays
// where it is until they have rested.

import { useCallback, useEffect, useMemo, useReducer, useRef } from 'preact/hooks'
import { fleet, onFleetChange } from '../../client/fleet.js'
import { compareVersions, type Filter, filterOf } from '../../client/fleet-filter.js'
import { type FleetStore, fleetStates } from '../../client/fleet-store.js'
import { sortedByNumber } from '../../client/number-sort.js'
import type { Sort } from '../../parts/table.js'

export interface Shown {
  readonly rows: Int32Array
  readonly unknown: Filter['unknown']
  /** How long it took, ms. */
  readonly milliseconds: number
  /** By the index of `fleetStates`, of the whole fleet. */
  readonly counts: readonly number[]
}

/** Later than any time, so that what changed last comes first. */
const latest = 1e11

export const placeText = ({ site, sites, names }: FleetStore, row: number): string =>
  sites.all[site[row] as number]?.name ?? names[row] ?? ''

export function modelText({ model, models }: FleetStore, row: number): string {
  const found = models.all[model[row] as number]
  return found === undefined ? '' : `${found.vendor} ${found.model}`
}

type Key = (row: number) => number | string

function keyOf(by: string, store: FleetStore): Key {
  const { ids, state, power, since, seen, connectors, firmware, texts } = store
  switch (by) {
    case 'charger':
      return (row) => ids[row] ?? ''
    case 'place':
      return (row) => placeText(store, row).toLowerCase()
    case 'connectors':
      return (row) => connectors[row]?.length ?? 0
    case 'power':
      return (row) => -(power[row] as number)
    case 'for':
      return (row) => -(since[row] as number)
    case 'seen':
      return (row) => -(seen[row] as number)
    case 'model':
      return (row) => modelText(store, row).toLowerCase()
    case 'firmware': {
      const order = texts.all
        .map((_, at) => at)
        .sort((a, b) => compareVersions(texts.all[a] as string, texts.all[b] as string))
      const ranks = new Int32Array(order.length)
      order.forEach((at, rank) => {
        ranks[at] = rank
      })
      return (row) => ranks[firmware[row] as number] ?? -1
    }
    default:
      return (row) => (state[row] as number) * 2 * latest + latest - (since[row] as number)
  }
}

export function rowsOf(store: FleetStore, filter: Filter, { by, descending }: Sort): Int32Array {
  const found = new Int32Array(store.size)
  let count = 0
  for (let row = 0; row < store.end; row++)
    if (store.ids[row] !== undefined && filter.matches(row)) found[count++] = row
  const rows = found.subarray(0, count)
  const key = keyOf(by, store)
  if (typeof key(0) === 'number') return sortedByNumber(rows, key as (row: number) => number, descending)
  const way = descending ? -1 : 1
  const keys: string[] = []
  for (const row of rows) keys[row] = key(row) as string
  return rows.sort((a, b) => {
    const [one, other] = [keys[a] as string, keys[b] as string]
    return one < other ? -way : one > other ? way : a - b
  })
}

function countsOf({ ids, state, end }: FleetStore): readonly number[] {
  const counts = fleetStates.map(() => 0)
  for (let row = 0; row < end; row++)
    if (ids[row] !== undefined) counts[state[row] as number] = (counts[state[row] as number] ?? 0) + 1
  return counts
}

const restMs = 2_000
const everyMs = 1_000

/** `touched` says that somebody points at the rows or moves in them. */
export function useShown(text: string, sort: Sort): { readonly shown: Shown; readonly touched: () => void } {
  const [drawn, draw] = useReducer((n: number) => n + 1, 0)
  const touchedAt = useRef(Number.NEGATIVE_INFINITY)
  const made = useRef<{ readonly text: string; readonly sort: Sort; readonly shown: Shown }>(undefined)
  const isDue = useRef(true)

  const shown = useMemo(() => {
    const before = made.current
    const isOther =
      before === undefined ||
      before.text !== text ||
      before.sort.by !== sort.by ||
      before.sort.descending !== sort.descending
    if (!isOther && !isDue.current) return { ...before.shown, counts: countsOf(fleet) }
    isDue.current = false
    const began = performance.now()
    const filter = filterOf(text, fleet)
    const rows = rowsOf(fleet, filter, sort)
    const next = { rows, unknown: filter.unknown, milliseconds: performance.now() - began, counts: countsOf(fleet) }
    made.current = { text, sort, shown: next }
    return next
  }, [drawn, text, sort.by, sort.descending])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const settle = (): void => {
      const rest = touchedAt.current + restMs - performance.now()
      timer = undefined
      if (rest > 0) {
        timer = setTimeout(settle, rest)
        return
      }
      isDue.current = true
      draw(0)
    }
    const end = onFleetChange(() => {
      // What a place shows now may be another charge point, or none.
      const isGone = made.current?.shown.rows.some((row) => fleet.ids[row] === undefined) === true
      if (isGone || performance.now() - touchedAt.current >= restMs) isDue.current = true
      else timer ??= setTimeout(settle, restMs)
      draw(0)
    }, everyMs)
    return () => {
      end()
      clearTimeout(timer)
    }
  }, [])

  const touched = useCallback(() => {
    touchedAt.current = performance.now()
  }, [])
  return { shown, touched }
}
