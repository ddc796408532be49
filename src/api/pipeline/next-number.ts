// The next number of a series without gaps: it is given in the commit that stores what it is of.

import { type DocumentNumber, documentNumbersTable } from '../../records/document-number.js'
import type { Draft } from './draft.js'

/** Six digits, and more from a million on. */
export function nextNumber(draft: Draft, issuer: string, series: DocumentNumber['series']): string {
  const before = draft.get(documentNumbersTable, [issuer, series])
  const last = (before?.last ?? 0) + 1
  draft.put(documentNumbersTable, { organization_id: issuer, series, last })
  return String(last).padStart(6, '0')
}
