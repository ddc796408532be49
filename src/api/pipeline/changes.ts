// Rows as the changes of a commit; the only place in the API that encodes a row.

import { encodeRow } from '../../runtime/codec.js'
import type { Change, Condition } from '../../runtime/store/store.js'
import type { Key, Table } from '../../runtime/store/table.js'

export function putRow<Row>(table: Table<Row>, row: Row): Change {
  return { type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) }
}

export function removeRow<Row>(table: Table<Row>, key: Key): Change {
  return { type: 'remove', table: table.name, key }
}

/** That the group of an index has room for `total` at most: that what was counted is still so. */
export function below<Row>(table: Table<Row>, index: string, group: Key, total: number): Condition {
  return { table: table.name, index, group, is: 'below', total }
}

/** That the group is empty. */
export function none<Row>(table: Table<Row>, index: string, group: Key): Condition {
  return below(table, index, group, 1)
}

/** That a row is still the one that was read, or still not there. */
export function unchanged<Row extends { readonly version: number }>(
  table: Table<Row>,
  key: Key,
  row: Row | undefined,
): Condition {
  return row === undefined
    ? { table: table.name, key, is: 'absent' }
    : { table: table.name, key, is: 'version', version: row.version }
}
