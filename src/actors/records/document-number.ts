// The running numbers of an organization's documents: one row a series, without gaps. A number is given in the commit that stores the
// document, under the row's version.

import { defineTable } from '../../runtime/table.js'

export interface DocumentNumber {
  readonly organization_id: string
  readonly series: 'receipt'
  readonly version: number
  /** The last number given. */
  readonly last: number
}

export const documentNumbersTable = defineTable<DocumentNumber>({
  name: 'document_numbers',
  key: (row) => [row.organization_id, row.series],
  importance: 'operation',
})
