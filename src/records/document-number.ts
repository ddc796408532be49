// The running numbers of the documents that an organization issues: one row a series, without gaps. A number is given in the commit that
// stores the document: of receipts under the row's version, of invoices by the issuer's billing actor alone.

import { defineTable } from '../runtime/store/table.js'

export interface DocumentNumber {
  /** Who issues the documents. */
  readonly organization_id: string
  readonly series: 'receipt' | 'invoice'
  readonly version: number
  /** The last number given. */
  readonly last: number
}

export const documentNumbersTable = defineTable<DocumentNumber>({
  name: 'document_numbers',
  key: (row) => [row.organization_id, row.series],
  importance: 'operation',
})
