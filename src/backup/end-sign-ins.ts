// A restored store has forgotten who has signed out of the console since the backup, and whose session was ended: everybody signs in again.

import { challengesTable } from '../records/challenge.js'
import { consoleSessionsTable } from '../records/console-session.js'
import { signInCodesTable } from '../records/sign-in-code.js'
import type { Change, ReadView } from '../runtime/store/store.js'
import type { Table } from '../runtime/store/table.js'

/** Ends sessions, and codes and challenges that may have been used since. */
export function endSignIns(view: ReadView): Change[] {
  const removed = <Row>(table: Table<Row>): Change[] =>
    view.list(table, []).map((row) => ({ type: 'remove', table: table.name, key: table.key(row) }))
  return [...removed(consoleSessionsTable), ...removed(signInCodesTable), ...removed(challengesTable)]
}
