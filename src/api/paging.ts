// Pages of lists: the query parameters, and the reads behind them. A page costs its rows; a filter without an index
// walks the smallest list it can, in steps between which other requests go on.

import { type TObject, Type } from 'typebox'
import { lowestIdAt } from '../runtime/ids.js'
import { limits } from '../runtime/limits.js'
import type { ListQuery, ReadView } from '../runtime/store.js'
import { after, type Key, type KeyPart, type Table } from '../runtime/table.js'
import { parseTimestamp } from './timestamp.js'

export const pageQuery = (perPage: number, maximum: number) => ({
  page: Type.Integer({ minimum: 1, default: 1, description: 'counts from 1' }),
  per_page: Type.Integer({ minimum: 1, maximum, default: perPage }),
})

export const pageFields = {
  total: Type.Integer({ minimum: 0 }),
  page: Type.Integer({ minimum: 1 }),
  per_page: Type.Integer({ minimum: 1 }),
}

/** The body of a page: `name` holds the rows. */
export const pageOf = (name: string, row: TObject) => Type.Object({ [name]: Type.Array(row), ...pageFields })

export interface PageQuery {
  readonly page: number
  readonly per_page: number
}

export interface Page<Row> {
  readonly rows: Row[]
  readonly total: number
}

/** One list of a table: an index and the group in it. */
export interface List {
  readonly index: string
  readonly group: Key
}

export interface ListOptions<Row> {
  readonly view: ReadView
  readonly table: Table<Row>
  readonly list: List
  /** Bounds within the list. */
  readonly between?: ListQuery | undefined
  readonly newestFirst?: boolean
}

export interface PageOptions<Row> extends ListOptions<Row> {
  readonly query: PageQuery
}

/** A page of one list; past its end an empty one, with the true total. */
export function readPage<Row>({ view, table, list, query, between, newestFirst = false }: PageOptions<Row>): Page<Row> {
  const { index, group } = list
  const total =
    between === undefined ? view.total(table, index, group) : view.countBetween(table, index, group, between)
  const offset = (query.page - 1) * query.per_page
  if (offset >= total) return { rows: [], total }
  const bounds = { ...between, offset, limit: query.per_page, reverse: newestFirst }
  return { rows: view.listBy(table, index, group, bounds), total }
}

export interface FilteredPageOptions<Row> extends PageOptions<Row> {
  readonly keep: (row: Row) => boolean
}

/** A page of the rows of a list that `keep` keeps. Reads the whole list for the true total. */
export async function readFilteredPage<Row>(options: FilteredPageOptions<Row>): Promise<Page<Row>> {
  const { query, keep } = options
  const first = (query.page - 1) * query.per_page
  const rows: Row[] = []
  let total = 0
  for await (const chunk of walkList(options)) {
    for (const row of chunk) {
      if (!keep(row)) continue
      if (total >= first && rows.length < query.per_page) rows.push(row)
      total++
    }
  }
  return { rows, total }
}

/** The rows of a list, some at a time. Goes on behind the last row, so that rows that come or go shift nothing. */
export async function* walkList<Row>({
  view,
  table,
  list,
  between,
  newestFirst = false,
}: ListOptions<Row>): AsyncGenerator<Row[]> {
  let bounds: ListQuery = { ...between, reverse: newestFirst, limit: limits.rowsPerWalkStep }
  for (;;) {
    const rows = view.listBy(table, list.index, list.group, bounds)
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < limits.rowsPerWalkStep) return
    const place = placeIn(table, list, last)
    bounds = newestFirst ? { ...bounds, to: place } : { ...bounds, from: after(place) }
    await new Promise(setImmediate)
  }
}

function placeIn<Row>(table: Table<Row>, list: List, row: Row): Key {
  const entries = table.indexes[list.index]?.(row) ?? []
  const own = entries.find(
    (entry) => entry.group.length === list.group.length && entry.group.every((part, at) => part === list.group[at]),
  )
  return [...(own?.order ?? []), ...table.key(row)]
}

export interface FieldPageOptions<Row, Field extends keyof Row & string>
  extends Pick<PageOptions<Row>, 'view' | 'table' | 'query' | 'between'> {
  readonly organizationId: string
  /** The index of each field whose values have lists of their own, in groups of organization and value. */
  readonly indexes: Readonly<Record<Field, string>>
  /** By field; undefined for one that does not matter. */
  readonly wanted: { readonly [Name in NoInfer<Field>]?: KeyPart | undefined }
}

/**
 * A page of an organization's rows, newest first, that have the values which are wanted. One field is a list of its own; of
 * several, the one with the fewest rows is walked.
 */
export async function readPageByFields<Row, Field extends keyof Row & string>(
  options: FieldPageOptions<Row, Field>,
): Promise<Page<Row>> {
  const { view, table, organizationId, indexes, wanted } = options
  const given = (Object.keys(indexes) as Field[]).filter((field) => wanted[field] !== undefined)
  const [first, ...others] = given.map(
    (field): List => ({ index: indexes[field], group: [organizationId, wanted[field] as KeyPart] }),
  )
  const all = { index: 'byOrganization', group: [organizationId] }
  const list = first === undefined ? all : smallest(view, table, [first, ...others])
  const page = { ...options, list, newestFirst: true }
  if (given.length < 2) return readPage(page)
  return readFilteredPage({ ...page, keep: (row) => given.every((field) => row[field] === wanted[field]) })
}

/** The list with the fewest rows. */
function smallest<Row>(view: ReadView, table: Table<Row>, lists: readonly [List, ...List[]]): List {
  let best = lists[0]
  let fewest = Number.POSITIVE_INFINITY
  for (const list of lists) {
    const total = view.total(table, list.index, list.group)
    if (total < fewest) [best, fewest] = [list, total]
  }
  return best
}

export const timeQuery = {
  from: Type.Optional(Type.String({ format: 'date-time', description: 'ISO 8601, inclusive' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'ISO 8601, inclusive' })),
}

/** Bounds in a list that is ordered by ids with a time in them; undefined where neither is given. */
export function idsBetween(
  prefix: string,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
): ListQuery | undefined {
  const start = from === undefined ? undefined : parseTimestamp(from)
  const end = to === undefined ? undefined : parseTimestamp(to)
  if (start === undefined && end === undefined) return undefined
  return {
    ...(start === undefined ? {} : { from: [lowestIdAt(prefix, start)] }),
    ...(end === undefined ? {} : { to: [lowestIdAt(prefix, end + 1)] }),
  }
}
