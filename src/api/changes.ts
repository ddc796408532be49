// Rows as the changes of a commit; the only place in the API that encodes a row.

import { encodeRow } from '../runtime/codec.js'
import type { Change } from '../runtime/store.js'
import type { Key, Table } from '../runtime/table.js'

export function putRow<Row>(table: Table<Row>, row: Row): Change {
  return { type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) }
}

export function removeRow<Row>(table: Table<Row>, key: Key): Change {
  return { type: 'remove', table: table.name, key }
}
