// Pages of the locations that a partner sees, the oldest first: one that is new, or has changed, shifts none of them.

import { findLocation, type OcpiLocation, ocpiLocationsTable } from '../../../records/ocpi-location.js'
import type { OcpiPartner } from '../../../records/ocpi-partner.js'
import type { ListQuery, ReadView } from '../../../runtime/store/store.js'
import { after, type Key } from '../../../runtime/store/table.js'
import type { BeginRead } from '../../pipeline/long-reads.js'
import { type Page, type PageQuery, pageOf, walkList } from '../../pipeline/paging.js'
import { limits } from './limits.js'

const table = ocpiLocationsTable

export interface LocationPageOptions {
  readonly view: ReadView
  readonly begin: BeginRead
  readonly partner: OcpiPartner
  /** Wall ms: the first inclusive, the second exclusive. */
  readonly from: number | undefined
  readonly to: number | undefined
  readonly query: PageQuery
  /** Behind which the page begins, whatever the offset is: what a link to the next page says. */
  readonly place: readonly [createdAt: number, locationId: string] | undefined
}

/** A page, and where the next one begins: undefined behind the last. */
export interface LocationPage extends Page<OcpiLocation> {
  readonly after: string | undefined
}

export async function readLocationPage(options: LocationPageOptions): Promise<LocationPage> {
  const { rows, total } = await readRows(options)
  const { limit } = options.query
  // One row more was read, which says whether there is a next page: a location that is taken back meanwhile does not hide the last.
  const last = rows[limit - 1]
  return {
    rows: rows.slice(0, limit),
    total,
    after: rows.length > limit && last !== undefined ? placeOf(last) : undefined,
  }
}

/** Where a location stands in the order of all: `1795427536373.CP-1`. */
function placeOf({ created_at, location_id }: OcpiLocation): string {
  return `${created_at}.${location_id}`
}

/** Undefined for a text that is no such place. */
export function readPlace(text: string): readonly [createdAt: number, locationId: string] | undefined {
  const [, createdAt, locationId] = /^(\d{1,15})\.(.+)$/.exec(text) ?? []
  return createdAt === undefined || locationId === undefined ? undefined : [Number(createdAt), locationId]
}

async function readRows(options: LocationPageOptions): Promise<Page<OcpiLocation>> {
  const { view, begin, partner, from, to, query, place } = options
  const group = [partner.organization_id]
  const isWithin = ({ updated_at }: OcpiLocation): boolean =>
    (from === undefined || updated_at >= from) && (to === undefined || updated_at < to)
  if (partner.location_ids !== undefined) return pageOfSome(partner.location_ids, isWithin, options)
  const total = view.total(table, 'byCreation', group)
  const bounds: ListQuery = { ...(from !== undefined && { from: [from] }), ...(to !== undefined && { to: [to] }) }
  const changed = from === undefined && to === undefined ? total : view.countBetween(table, 'byUpdate', group, bounds)
  if (changed === total) return { rows: pageOfAll(view, group, options, total), total }
  if (changed <= limits.changedLocations) return sorted(view.listBy(table, 'byUpdate', group, bounds), options)
  // The total is known: it is looked for no further than to the end of the page.
  const list = { index: 'byCreation', group }
  const between = place === undefined ? undefined : { from: behind(partner, place) }
  const first = place === undefined ? query.offset : 0
  const last = first + query.limit + 1
  const rows: OcpiLocation[] = []
  for await (const chunk of walkList({ view, begin, table, list, between })) {
    for (const row of chunk) if (isWithin(row)) rows.push(row)
    if (rows.length >= last) break
  }
  return { rows: rows.slice(first, last), total: changed }
}

/** The first key of the list behind a place. */
function behind({ organization_id }: OcpiPartner, [createdAt, locationId]: readonly [number, string]): Key {
  return after([createdAt, organization_id, locationId])
}

/** From the place, or from the end that is nearer. */
function pageOfAll(
  view: ReadView,
  group: string[],
  { query: { offset, limit }, partner, place }: LocationPageOptions,
  total: number,
): OcpiLocation[] {
  const most = limit + 1
  if (place !== undefined) return view.listBy(table, 'byCreation', group, { from: behind(partner, place), limit: most })
  const rest = total - offset - most
  if (offset >= total) return []
  if (rest >= offset) return view.listBy(table, 'byCreation', group, { offset, limit: most })
  const query = { reverse: true, offset: Math.max(0, rest), limit: Math.min(most, total - offset) }
  return view.listBy(table, 'byCreation', group, query).reverse()
}

/** Of those that the partner may see, where it may not see all. */
function pageOfSome(
  ids: readonly string[],
  isWithin: (row: OcpiLocation) => boolean,
  options: LocationPageOptions,
): Page<OcpiLocation> {
  const { view, partner } = options
  const known = ids.map((id) => findLocation(view, partner.organization_id, id)).filter((row) => row !== undefined)
  const rows = new Map(known.map((row) => [row.location_id, row]))
  return sorted([...rows.values()].filter(isWithin), options)
}

function sorted(
  rows: readonly OcpiLocation[],
  { query: { offset, limit }, place }: LocationPageOptions,
): Page<OcpiLocation> {
  const oldestFirst = [...rows].sort(
    (one, other) => one.created_at - other.created_at || (one.location_id < other.location_id ? -1 : 1),
  )
  const first = place === undefined ? offset : firstBehind(oldestFirst, place)
  return { rows: [...pageOf(oldestFirst, { offset: first, limit: limit + 1 })], total: rows.length }
}

function firstBehind(rows: readonly OcpiLocation[], [createdAt, locationId]: readonly [number, string]): number {
  const at = rows.findIndex(
    ({ created_at, location_id }) => created_at > createdAt || (created_at === createdAt && location_id > locationId),
  )
  return at < 0 ? rows.length : at
}
