// A restored store has forgotten the documents that were issued after the backup; people have them. Their numbers must not be given to
// other documents, so the series go on beyond them, with a gap.

import { documentNumbersTable } from '../actors/records/document-number.js'
import { organizationsTable } from '../actors/records/organization.js'
import { encodeRow } from '../runtime/codec.js'
import { limits } from '../runtime/limits.js'
import type { Change, ReadView } from '../runtime/store.js'

/** `milliseconds`: how far the store has gone back in time. Also for organizations that had no receipt then: they may have, since. */
export function skipDocumentNumbers(view: ReadView, milliseconds: number): Change[] {
  const since = Math.ceil(Math.max(0, milliseconds) / 1_000) * limits.skippedReceiptsPerSecond
  return view.list(organizationsTable, []).map(({ organization_id }) => {
    const before = view.get(documentNumbersTable, [organization_id, 'receipt'])
    const row = {
      organization_id,
      series: 'receipt' as const,
      version: (before?.version ?? 0) + 1,
      last: (before?.last ?? 0) + limits.skippedReceiptsPerRestore + since,
    }
    return { type: 'put', table: documentNumbersTable.name, key: documentNumbersTable.key(row), row: encodeRow(row) }
  })
}
