// Pages of the locations that a partner sees, the oldest first: one that is new, or has changed, shifts none of them.

import { type OcpiLocation, ocpiLocationsTable } from '../../../records/ocpi-location.js'
import type { OcpiPartner } from '../../../records/ocpi-partner.js'
import type { ListQuery, ReadView } from '../../../runtime/store/store.js'
import type { BeginRead } from '../../pipeline/long-reads.js'
import { type Page, type PageQuery, pageOf, readFilteredPage } from '../../pipeline/paging.js'
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
}

export async function readLocationPage(options: LocationPageOptions): Promise<Page<OcpiLocation>> {
  const { view, begin, partner, from, to, query } = options
  const group = [partner.organization_id]
  const isWithin = ({ updated_at }: OcpiLocation): boolean =>
    (from === undefined || updated_at >= from) && (to === undefined || updated_at < to)
  if (partner.location_ids !== undefined) return pageOfSome(partner.location_ids, isWithin, options)
  const total = view.total(table, 'byCreation', group)
  const bounds: ListQuery = { ...(from !== undefined && { from: [from] }), ...(to !== undefined && { to: [to] }) }
  const changed = from === undefined && to === undefined ? total : view.countBetween(table, 'byUpdate', group, bounds)
  if (changed === total) return { rows: pageOfAll(view, group, query, total), total }
  if (changed <= limits.changedLocations) return sorted(view.listBy(table, 'byUpdate', group, bounds), query)
  return readFilteredPage({ view, begin, table, list: { index: 'byCreation', group }, query, keep: isWithin })
}

/** From the end that is nearer. */
function pageOfAll(view: ReadView, group: string[], { offset, limit }: PageQuery, total: number): OcpiLocation[] {
  const behind = total - offset - limit
  if (offset >= total) return []
  if (behind >= offset) return view.listBy(table, 'byCreation', group, { offset, limit })
  const query = { reverse: true, offset: Math.max(0, behind), limit: Math.min(limit, total - offset) }
  return view.listBy(table, 'byCreation', group, query).reverse()
}

/** Of those that the partner may see, where it may not see all. */
function pageOfSome(
  ids: readonly string[],
  isWithin: (row: OcpiLocation) => boolean,
  { view, partner, query }: LocationPageOptions,
): Page<OcpiLocation> {
  const rows = ids.map((id) => view.get(table, [partner.organization_id, id])).filter((row) => row !== undefined)
  return sorted(rows.filter(isWithin), query)
}

function sorted(rows: readonly OcpiLocation[], query: PageQuery): Page<OcpiLocation> {
  const oldestFirst = [...rows].sort(
    (one, other) => one.created_at - other.created_at || (one.location_id < other.location_id ? -1 : 1),
  )
  return { rows: [...pageOf(oldestFirst, query)], total: rows.length }
}

export function isSeenBy({ location_ids }: OcpiPartner, locationId: string): boolean {
  return location_ids === undefined || location_ids.includes(locationId)
}
