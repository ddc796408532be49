// What a table is: its name, its key, the lists kept of it, and how long its rows are kept.
// Declared once per record; the store derives index entries, counts and pruning from it.

export type KeyPart = string | number
/** An ordered tuple: tables and indexes sort by it, part by part. */
export type Key = readonly KeyPart[]

/** The lowest bound above a whole key: where a list goes on behind a row, whether or not the row is still there. */
export function after(key: Key): Key {
  return [...key, '']
}

/** One list in which a row stands. */
export interface IndexEntry {
  /** The list: rows of one group are counted together and read in order. */
  readonly group: Key
  /** Order inside the group before the primary key, which always comes last. */
  readonly order?: Key
  /** What the row adds to the group's total; 1 unless a sum is kept (watts, say). An integer. */
  readonly weight?: number
}

/** Rows older than this are pruned, the oldest first. */
export interface Retention<Row> {
  readonly milliseconds: number
  /** The row's time, in ms since the epoch. */
  readonly timeOf: (row: Row) => number
  /** The index (of group []) that lists the rows by time; without one, the primary key does. */
  readonly index?: string
}

/** In this order a disk that fills up stops taking rows; a batch counts as the most important of its rows. */
export type Importance = 'ordinary' | 'operation' | 'transaction'

/** What becomes of rows while space is low, so that a series that grows without end stops growing. */
export interface Thinning<Row> {
  /** What is kept of a row, as a row of the table; undefined is nothing. */
  readonly keep: (row: Row) => object | undefined
  /** Whether a stored row is such a remainder: the next one of its series takes its place. */
  readonly kept: (row: Row) => boolean
  /** How many parts of the key, from the first, name the series. */
  readonly seriesParts: number
}

/** A table that rows are only added to, and that others may follow. */
export interface AppendLog<Row> {
  /**
   * A row that is put with the id '' gets one at its commit, of this prefix: ids sort as commits were written, so
   * whoever reads on behind the last id that it saw misses none.
   */
  readonly idPrefix: string
  readonly topics?: LogTopics<Row>
}

/** Of a log that others follow: they are told the topics of what was added. */
export interface LogTopics<Row> {
  readonly of: (row: Row) => string
  /** Where pruning notes how far it has come in each topic: a follower that stopped before that has missed rows. */
  readonly horizons?: Table<LogHorizon>
}

/** The newest row of a topic that has outlived its time and been removed. */
export interface LogHorizon {
  readonly topic: string
  readonly id: string
}

export interface Table<Row> {
  readonly name: string
  readonly key: (row: Row) => Key
  /** Ordinary unless given. */
  readonly importance?: Importance
  readonly thinning?: Thinning<Row>
  /** Each index maps a row to the lists it stands in; none when it returns an empty array. */
  readonly indexes: Readonly<Record<string, (row: Row) => readonly IndexEntry[]>>
  readonly retention?: Retention<Row>
  readonly log?: AppendLog<Row>
  /** Indexes that rows are looked up by, not listed by: no totals are kept of them. */
  readonly uncounted?: readonly string[]
  /** Where a row stands in its lists follows from its key alone, so that one that is replaced need not be read for it. */
  readonly listedByKey?: true
}

export interface TableOptions<Row> {
  readonly name: string
  readonly key: (row: Row) => Key
  readonly importance?: Importance
  readonly thinning?: Thinning<Row>
  readonly indexes?: Readonly<Record<string, (row: Row) => readonly IndexEntry[]>>
  readonly retention?: Retention<Row>
  readonly log?: AppendLog<Row>
  readonly uncounted?: readonly string[]
  readonly listedByKey?: true
}

export function defineTable<Row>(options: TableOptions<Row>): Table<Row> {
  return { indexes: {}, ...options }
}
