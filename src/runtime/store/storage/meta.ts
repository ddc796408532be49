// What a store keeps about itself while it is opened, and how whoever opens it hears how far that has come.

import { decodeRow } from '../../codec.js'
import { type ByteReader, type ByteTransaction, metaDatabase } from './byte-store.js'

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
