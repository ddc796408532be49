// Pages of lists: the reads behind them, and parameters that many lists have. A page costs its rows; a filter without an index
// walks the smallest list it can, and a deep page passes over what is before it: these are long reads. They go on in steps, as many of
// them as there is time for in a slice.

import { Type } from 'typebox'
import { lowestIdAt } from '../../runtime/ids.js'
import { limits as runtimeLimits } from '../../runtime/limits.js'
import type { ListQuery, ReadView } from '../../runtime/store/store.js'
import { after, type IndexEntry, type Key, type KeyPart, type Table } from '../../runtime/store/table.js'
import { limits } from './limits.js'
import { type BeginRead, type LongRead, longOncePaused } from './long-reads.js'
import { parseTimestamp } from './timestamp.js'

/** Pages by number, also of what is asked for in a body. */
export const pageQuery = (perPage: number, maximum: number) => ({
  page: Type.Integer({ minimum: 1, default: 1, description: 'Pages count from 1.' }),
  per_page: Type.Integer({ minimum: 1, maximum, default: perPage, description: 'How many rows a page has.' }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum, description: 'Another name of `per_page`.' })),
})

/** Of lists that the contract pages by it, beside what `pageQuery` has. */
export const offsetQuery = {
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'How many rows are passed over before the page. Takes the place of `page`.',
    }),
  ),
}

export const pageFields = {
  total: Type.Integer({ minimum: 0 }),
  page: Type.Integer({ minimum: 1 }),
  per_page: Type.Integer({ minimum: 1 }),
}

/** Which rows of a list: what the paging of every surface comes down to. */
export interface PageQuery {
  readonly offset: number
  readonly limit: number
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

/** A page of a list that is never long; past its end an empty one, with the true total. */
export function readPage<Row>({ view, table, list, query, between, newestFirst = false }: PageOptions<Row>): Page<Row> {
  const { index, group } = list
  const total =
    between === undefined ? view.total(table, index, group) : view.countBetween(table, index, group, between)
  const { offset, limit } = query
  if (offset >= total) return { rows: [], total }
  const bounds = { ...between, offset, limit, reverse: newestFirst }
  return { rows: view.listBy(table, index, group, bounds), total }
}

/** `longReads.of` the organization that reads. */
export interface Long {
  readonly begin: BeginRead
}

/** The same of a list that may be long. */
export async function readLongPage<Row>(options: PageOptions<Row> & Long): Promise<Page<Row>> {
  const { view, table, list, query, between, newestFirst = false } = options
  const { index, group } = list
  const total = between === undefined ? view.total(table, index, group) : await countBetween(options)
  const { offset, limit } = query
  if (offset >= total) return { rows: [], total }
  const bounds = { ...between, reverse: newestFirst }
  const rest = offset <= limits.entriesPerStep ? { bounds, offset } : await passOver(options, bounds, offset)
  return { rows: view.listBy(table, index, group, { ...rest.bounds, offset: rest.offset, limit }), total }
}

/** The rows behind a place of a list, whether or not the row of that place is still there. `place` is a whole key of the list. */
export async function readBehind<Row>(options: ListOptions<Row> & Long, place: Key, limit: number): Promise<Page<Row>> {
  const { view, table, list, between } = options
  const { index, group } = list
  const total = between === undefined ? view.total(table, index, group) : await countBetween(options)
  return { rows: view.listBy(table, index, group, { ...between, from: after(place), limit }), total }
}

export interface PartOptions<Row> extends Pick<ListOptions<Row>, 'view' | 'table'>, Long {
  /** Of the primary key. */
  readonly prefix: Key
  readonly query: PageQuery
}

/** Rows of a page of a table itself, in the order of its keys. */
export async function readPart<Row>({ view, begin, table, prefix, query }: PartOptions<Row>): Promise<Row[]> {
  let { offset } = query
  let from: Key = []
  const read = longOncePaused(begin)
  try {
    for (; offset > limits.entriesPerStep; offset -= limits.entriesPerStep) {
      const [last] = view.list(table, prefix, { from, offset: limits.entriesPerStep - 1, limit: 1 })
      if (last === undefined) return []
      from = after(table.key(last).slice(prefix.length))
      if (read.isOver()) await read.pause()
    }
    return view.list(table, prefix, { from, offset, limit: query.limit })
  } finally {
    read.end()
  }
}

interface Rest {
  readonly bounds: ListQuery
  /** What is left to be passed over. */
  readonly offset: number
}

/** Passes over entries in steps, as far as there are any, until at most a step of them is left. */
async function passOver<Row>(
  { view, table, list, begin }: ListOptions<Row> & Long,
  bounds: ListQuery,
  offset: number,
): Promise<Rest> {
  let rest: Rest = { bounds, offset }
  const read = longOncePaused(begin)
  try {
    while (rest.offset > limits.entriesPerStep) {
      const step = { ...rest.bounds, offset: limits.entriesPerStep - 1, limit: 1 }
      const [last] = view.listBy(table, list.index, list.group, step)
      if (last === undefined) break
      rest = { bounds: behind(table, list, last, rest.bounds), offset: rest.offset - limits.entriesPerStep }
      if (read.isOver()) await read.pause()
    }
  } finally {
    read.end()
  }
  return rest
}

/** How many entries of a list are in its bounds, counted in steps. */
export async function countBetween<Row>(options: ListOptions<Row> & Long): Promise<number> {
  const { view, table, list, between } = options
  const all = Number.MAX_SAFE_INTEGER
  const rest = await passOver(options, { ...between }, all)
  return all - rest.offset + view.countBetween(table, list.index, list.group, rest.bounds)
}

/** A page of lists that have no row in common, one behind the other. */
export function readPageOfAll<Row>({
  view,
  table,
  lists,
  query,
}: Omit<PageOptions<Row>, 'list' | 'between' | 'newestFirst'> & { readonly lists: readonly List[] }): Page<Row> {
  const rows: Row[] = []
  let total = 0
  let { offset } = query
  for (const { index, group } of lists) {
    const length = view.total(table, index, group)
    const limit = query.limit - rows.length
    if (offset < length && limit > 0) rows.push(...view.listBy(table, index, group, { offset, limit }))
    offset = Math.max(0, offset - length)
    total += length
  }
  return { rows, total }
}

/** A page of what is in memory as a whole. */
export function pageOf<Item>(items: readonly Item[], { offset, limit }: PageQuery): readonly Item[] {
  return items.slice(offset, offset + limit)
}

export interface FilteredPageOptions<Row> extends PageOptions<Row>, Long {
  readonly keep: (row: Row) => boolean
}

/** A page of the rows of a list that `keep` keeps. Reads the whole list for the true total. */
export async function readFilteredPage<Row>(options: FilteredPageOptions<Row>): Promise<Page<Row>> {
  const { query, keep } = options
  const { offset, limit } = query
  const rows: Row[] = []
  let total = 0
  for await (const chunk of walkList(options)) {
    for (const row of chunk) {
      if (!keep(row)) continue
      if (total >= offset && rows.length < limit) rows.push(row)
      total++
    }
  }
  return { rows, total }
}

/** The rows of a list, some at a time. Goes on behind the last row, so that rows that come or go shift nothing. */
export async function* walkList<Row>(options: ListOptions<Row> & Long): AsyncGenerator<Row[]> {
  const read = longOncePaused(options.begin)
  try {
    yield* walk(options, limits.rowsOfShortRead, read)
  } finally {
    read.end()
  }
}

/** As a part of a long read that is under way. */
export async function* walkWithin<Row>(read: LongRead, options: ListOptions<Row>): AsyncGenerator<Row[]> {
  yield* walk(options, runtimeLimits.rowsPerWalkStep, read)
}

async function* walk<Row>(
  { view, table, list, between, newestFirst = false }: ListOptions<Row>,
  first: number,
  read: LongRead,
): AsyncGenerator<Row[]> {
  let bounds: ListQuery = { ...between, reverse: newestFirst }
  for (let limit = first; ; limit = runtimeLimits.rowsPerWalkStep) {
    const rows = view.listBy(table, list.index, list.group, { ...bounds, limit })
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < limit) return
    bounds = behind(table, list, last, bounds)
    if (read.isOver()) await read.pause()
  }
}

/** What of the bounds is behind a row, in the direction in which they are read. */
function behind<Row>(table: Table<Row>, list: List, row: Row, bounds: ListQuery): ListQuery {
  const place = placeIn(table, list, row)
  return bounds.reverse === true ? { ...bounds, to: place } : { ...bounds, from: after(place) }
}

function entryIn<Row>(table: Table<Row>, { index, group }: List, row: Row): IndexEntry | undefined {
  const entries = table.indexes[index]?.(row) ?? []
  return entries.find(
    (entry) => entry.group.length === group.length && entry.group.every((part, at) => part === group[at]),
  )
}

export function standsIn<Row>(table: Table<Row>, list: List, row: Row): boolean {
  return entryIn(table, list, row) !== undefined
}

function placeIn<Row>(table: Table<Row>, list: List, row: Row): Key {
  return [...(entryIn(table, list, row)?.order ?? []), ...table.key(row)]
}

export interface CombinedPageOptions<Row> extends Omit<PageOptions<Row>, 'list'>, Long {
  /** The lists that a row has to stand in; where there are none, `all`. Every one of them has the same order. */
  readonly lists: readonly List[]
  readonly all: List
  /** What no list says. */
  readonly keep?: ((row: Row) => boolean) | undefined
}

/** A page of the rows that stand in each of several lists. One list costs its page; of several, the one with the fewest rows is walked. */
export async function readCombinedPage<Row>(options: CombinedPageOptions<Row>): Promise<Page<Row>> {
  const { view, table, lists, all, keep } = options
  const [first, ...others] = lists
  // Which of several is the smallest costs a read of each total.
  const list = first === undefined ? all : others.length === 0 ? first : smallest(view, table, [first, ...others])
  if (others.length === 0 && keep === undefined) return readLongPage({ ...options, list })
  const inAll = (row: Row): boolean => lists.every((other) => other === list || standsIn(table, other, row))
  return readFilteredPage({ ...options, list, keep: (row) => inAll(row) && (keep?.(row) ?? true) })
}

export interface FieldPageOptions<Row, Field extends string>
  extends Pick<PageOptions<Row>, 'view' | 'table' | 'query' | 'between'>,
    Long {
  readonly organizationId: string
  /** The index of each field whose values have lists of their own, in groups of organization and value. */
  readonly indexes: Readonly<Record<Field, string>>
  /** By field; undefined for one that does not matter. */
  readonly wanted: { readonly [Name in NoInfer<Field>]?: KeyPart | undefined }
  /** What no list says. */
  readonly keep?: ((row: Row) => boolean) | undefined
}

/** A page of an organization's rows, newest first, that have the values which are wanted. */
export async function readPageByFields<Row, Field extends string>(
  options: FieldPageOptions<Row, Field>,
): Promise<Page<Row>> {
  const { organizationId, indexes, wanted } = options
  const all = { index: 'byOrganization', group: [organizationId] }
  const lists = wantedLists(organizationId, indexes, wanted)
  return readCombinedPage({ ...options, lists, all, newestFirst: true })
}

/** The list of each value that is wanted, in groups of organization and value. */
export function wantedLists<Field extends string>(
  organizationId: string,
  indexes: Readonly<Record<Field, string>>,
  wanted: { readonly [Name in NoInfer<Field>]?: KeyPart | undefined },
): readonly List[] {
  const fields = (Object.keys(indexes) as Field[]).filter((field) => wanted[field] !== undefined)
  return fields.map((field) => ({ index: indexes[field], group: [organizationId, wanted[field] as KeyPart] }))
}

/** The list with the fewest rows. */
export function smallest<Row>(view: ReadView, table: Table<Row>, lists: readonly [List, ...List[]]): List {
  let best = lists[0]
  let fewest = Number.POSITIVE_INFINITY
  for (const list of lists) {
    const total = view.total(table, list.index, list.group)
    if (total < fewest) [best, fewest] = [list, total]
  }
  return best
}

/** So that nobody takes the `to` of a date for the end of that day. */
export const datesWithoutTime = 'A date without a time is the beginning of that day, in UTC.'
const instant = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

export const timeQuery = {
  from: instant(`ISO 8601, inclusive. ${datesWithoutTime}`),
  to: instant(`ISO 8601, inclusive. ${datesWithoutTime} For a whole day, name the beginning of the next.`),
}

/** Of rows that may arrive long after what they speak of: the time of arrival, beside `timeQuery`. */
export const receivedQuery = {
  received_from: instant('ISO 8601, inclusive: only what the service received at or after this time.'),
  received_to: instant('ISO 8601, inclusive: only what the service received at or before this time.'),
}

/** ISO 8601, both inclusive. */
export interface Period {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Bounds in a list that is ordered by ids with a time in them; undefined where neither is given. */
export function idsBetween(prefix: string, period: Period): ListQuery | undefined {
  return between(period, (time) => lowestIdAt(prefix, time))
}

/** Bounds in a list that is ordered by times in ms; undefined where neither is given. */
export function timesBetween(period: Period): ListQuery | undefined {
  return between(period, (time) => time)
}

function between({ from, to }: Period, placeOf: (time: number) => KeyPart): ListQuery | undefined {
  const start = from === undefined ? undefined : parseTimestamp(from)
  const end = to === undefined ? undefined : parseTimestamp(to)
  if (start === undefined && end === undefined) return undefined
  return {
    ...(start === undefined ? {} : { from: [placeOf(start)] }),
    ...(end === undefined ? {} : { to: [placeOf(end + 1)] }),
  }
}
