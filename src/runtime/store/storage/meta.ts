// What a store keeps about itself, and how whoever opens it hears how far that has come.

import { decodeRow, encodeRow } from '../../codec.js'
import type { StoredTime } from '../../steady-time.js'
import { type ByteReader, type ByteTransaction, metaDatabase } from './byte-store.js'
import { encodeKey } from './key-bytes.js'
import type { SpaceLevel } from './space.js'

export type InTransaction = <Result>(work: (transaction: ByteTransaction) => Result) => Result

/** How far a table has been brought, after each transaction. */
export interface MigrationPart {
  /** The schema version. */
  readonly to: number
  readonly table: string
  /** The lists that are made, where the rows stay as they are. */
  readonly lists?: readonly string[]
  readonly rows: number
  readonly done: boolean
}

export function readMeta<Value>(reader: ByteReader, key: Buffer): Value | undefined {
  const bytes = reader.get(metaDatabase, key)
  return bytes === undefined ? undefined : decodeRow<Value>(bytes)
}

/** A row that a record changes, and that applying a record goes by. */
interface MetaRow<Value> {
  read(reader: ByteReader): Value
  write(transaction: ByteTransaction, value: Value): void
}

function metaRow<Value>(name: string, atFirst: Value): MetaRow<Value> {
  const key = encodeKey([name])
  return {
    read: (reader) => readMeta<Value>(reader, key) ?? atFirst,
    write: (transaction, value) => transaction.put(metaDatabase, key, encodeRow(value)),
  }
}

/** How full the disk was said to be last. */
export const spaceLevelRow = metaRow<SpaceLevel>('space_level', 0)
/** For how many days rows are kept, by table, where that is not what the table says. */
export const keptDaysRow = metaRow<Readonly<Record<string, number>>>('kept_days', {})
/** When the disk was last tried with a write, ms. */
export const probedAtRow = metaRow('probed_at', 0)
/** Steady time and wall time, as they were last stored; undefined in a store that no program with steady time has opened. */
export const storedTimeRow = metaRow<StoredTime | undefined>('time', undefined)
