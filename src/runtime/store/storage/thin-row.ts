// A put while space is low: of a table that can be thinned, what is kept of the row takes the place of what was kept before it.

import { decodeRow, encodeRow } from '../../codec.js'
import type { Change } from '../store.js'
import type { AnyTable, ByteTransaction } from './byte-store.js'
import { tableDatabase } from './byte-store.js'
import { prefixRange } from './key-bytes.js'

type Put = Extract<Change, { type: 'put' }>

export interface ThinnedPut {
  /** What to write instead; undefined: nothing. */
  readonly put: Put | undefined
  /** The key of the row whose place it takes. */
  readonly replaces: readonly (string | number)[] | undefined
}

/** Undefined for a table whose rows are always written as they are. */
export function thinPut(transaction: ByteTransaction, table: AnyTable, put: Put): ThinnedPut | undefined {
  const { thinning } = table
  if (thinning === undefined) return undefined
  const row = thinning.keep(decodeRow(put.row))
  if (row === undefined) return { put: undefined, replaces: undefined }
  const { key } = put
  const range = prefixRange(key.slice(0, thinning.seriesParts), {
    to: key.slice(thinning.seriesParts),
    reverse: true,
    limit: 1,
  })
  const before = transaction.values(tableDatabase(table.name), range).map((bytes) => decodeRow(bytes))[0]
  return {
    put: { ...put, row: encodeRow(row) },
    replaces: before !== undefined && thinning.kept(before) ? table.key(before) : undefined,
  }
}
