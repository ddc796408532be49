// What a request is going to change. A row that is read through a draft is held: the commit goes through only if it is still the one that
// was read, and otherwise the handler runs again on what is stored then. So nothing that is checked here can be outrun before its commit.

import { assert } from '../../runtime/assert.js'
import { encodeRow } from '../../runtime/codec.js'
import type { AmpshardError } from '../../runtime/errors.js'
import type { Change, ReadView } from '../../runtime/store/store.js'
import type { Key, Table } from '../../runtime/store/table.js'
import { limits } from './limits.js'
import type { List } from './paging.js'
import type { Answer, Precondition } from './route.js'

/** Rows from before their table had versions have none. */
export interface Versioned {
  readonly version?: number
}

/** Fields that are undefined are left out of the stored row. */
export type Fields<Row> = {
  readonly [Name in keyof Row]: undefined extends Row[Name] ? Row[Name] | undefined : Row[Name]
}

/** What rows with a version are read from: the store, or a draft, which then holds them. */
export interface RowReader {
  get<Row extends Versioned>(table: Table<Row>, key: Key): Row | undefined
}

export interface Draft extends RowReader {
  /** For what decides nothing: what is read here may have changed by the commit. */
  readonly view: ReadView
  /** The row that the commit depends on, or its absence. Only a row with a version can be known again. */
  get<Row extends Versioned>(table: Table<Row>, key: Key): Row | undefined
  /** A row that was read before the draft was opened, such as the caller's own: the commit depends on that it has not changed since. */
  requireUnchanged<Row extends Versioned>(table: Table<Row>, row: Row): void
  /**
   * All rows of a counted list, `limits.heldRows` at most. Each is held, and the commit depends on that no other has come, which the store
   * only knows of lists whose totals it keeps.
   */
  list<Row extends Versioned>(table: Table<Row>, list: List): readonly Row[]
  /**
   * Stores a row: the next version of one that was read through `get`, or else a new one, whose key must then be free. Returns it. `taken`
   * is thrown where the key is not free; without it, the handler runs again.
   */
  put<Row extends Versioned>(table: Table<Row>, row: Omit<Fields<Row>, 'version'>, taken?: AmpshardError): Row
  /** The same for rows without a version. */
  putPlain<Row>(table: Table<Row>, row: Row extends Versioned ? never : Row, taken?: AmpshardError): Row
  /** Removes a row, which must be there at the commit: the version that was read, if it was. */
  remove<Row>(table: Table<Row>, key: Key): void
  /** Removes a row if it is there. */
  clear<Row>(table: Table<Row>, key: Key): void
  /** Throws `otherwise` where a list has no room for one more row among `most`, now or at the commit. */
  requireRoom<Row>(table: Table<Row>, list: List, most: number, otherwise: AmpshardError): void
  /** Throws `otherwise` where a list has any row, now or at the commit. */
  requireNone<Row>(table: Table<Row>, list: List, otherwise: AmpshardError): void
  /** For changes and conditions that other parts make. */
  add(part: Pick<Answer, 'changes' | 'conditions'>): void
  /** Whose it is that is changed, where that may be another organization's. */
  concern(concerned: NonNullable<Answer['concerns']>): void
  /** Sends a message to an actor once the commit is on disk. */
  tell(...message: NonNullable<Answer['tell']>): void
}

export interface OpenDraft extends Draft {
  /** What the pipeline commits. */
  close(): Pick<Answer, 'changes' | 'conditions' | 'concerns' | 'tell'>
}

/** `now`: wall ms, at which the versions of a row begin: one that is made anew under the key of one that was removed is not taken for that. */
export function openDraft(view: ReadView, now: number): OpenDraft {
  const changes: Change[] = []
  const conditions: Precondition[] = []
  /** By version; undefined stands for no row. */
  const held = new Map<string, number | undefined>()
  const told: NonNullable<Answer['tell']>[number][] = []
  let concerns: Answer['concerns']

  const nameOf = ({ name }: { readonly name: string }, key: Key): string => `${name} ${JSON.stringify(key)}`

  /** Holds a row as it was read; one from before its table had versions has version 0. */
  function hold(table: Table<never> | Table<unknown>, key: Key, row: unknown): void {
    const name = nameOf(table, key)
    const version = row === undefined ? undefined : ((row as Versioned).version ?? 0)
    if (!held.has(name)) held.set(name, version)
    const at = { table: table.name, key }
    conditions.push({ condition: version === undefined ? { ...at, is: 'absent' } : { ...at, is: 'version', version } })
  }

  /** Only once. */
  function holdOnce(table: Table<never> | Table<unknown>, key: Key, row: unknown): void {
    if (!held.has(nameOf(table, key))) hold(table, key, row)
  }

  function put<Row>(table: Table<Row>, row: Row, taken: AmpshardError | undefined): void {
    const key = table.key(row)
    if (!held.has(nameOf(table, key))) {
      held.set(nameOf(table, key), undefined)
      const condition = { table: table.name, key, is: 'absent' } as const
      conditions.push(taken === undefined ? { condition } : { condition, otherwise: taken })
    }
    changes.push({ type: 'put', table: table.name, key, row: encodeRow(row) })
  }

  const draft: OpenDraft = {
    view,
    get(table, key) {
      const row = view.get(table, key)
      holdOnce(table as Table<unknown>, key, row)
      return row
    },
    requireUnchanged(table, row) {
      // Also of one that is held as another: of two versions, one is not the stored one.
      hold(table as Table<unknown>, table.key(row), row)
    },
    list(table, { index, group }) {
      const total = view.total(table, index, group)
      assert(total <= limits.heldRows, 'a list that a draft holds is short', table.name, total)
      const rows = view.listBy(table, index, group)
      for (const row of rows) holdOnce(table as Table<unknown>, table.key(row), row)
      conditions.push({ condition: { table: table.name, index, group, is: 'below', total: rows.length + 1 } })
      return rows
    },
    put<Row extends Versioned>(table: Table<Row>, fields: Omit<Fields<Row>, 'version'>, taken?: AmpshardError): Row {
      const given = Object.entries(fields).filter(([, value]) => value !== undefined)
      const unversioned = Object.fromEntries(given) as unknown as Row
      const before = held.get(nameOf(table, table.key(unversioned)))
      const version = before === undefined ? now : before + 1
      const row = { ...unversioned, version }
      put(table, row, taken)
      return row
    },
    putPlain(table, row, taken) {
      put(table, row as never, taken)
      return row as never
    },
    remove(table, key) {
      const name = nameOf(table, key)
      if (!held.has(name)) conditions.push({ condition: { table: table.name, key, is: 'present' } })
      held.set(name, undefined)
      changes.push({ type: 'remove', table: table.name, key })
    },
    clear(table, key) {
      changes.push({ type: 'remove', table: table.name, key })
    },
    requireRoom(table, { index, group }, most, otherwise) {
      if (view.total(table, index, group) >= most) throw otherwise
      conditions.push({ condition: { table: table.name, index, group, is: 'below', total: most }, otherwise })
    },
    requireNone(table, list, otherwise) {
      draft.requireRoom(table, list, 1, otherwise)
    },
    add(part) {
      changes.push(...(part.changes ?? []))
      conditions.push(...(part.conditions ?? []))
    },
    concern(concerned) {
      concerns = concerned
    },
    tell(...message) {
      told.push(...message)
    },
    close: () => ({
      changes,
      conditions,
      ...(concerns !== undefined && { concerns }),
      ...(told.length > 0 && { tell: told }),
    }),
  }
  return draft
}
