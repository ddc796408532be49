// The running numbers of the documents that an organization issues, and of the issues that are reported in the installation: one row a series,
// without gaps. A number is given in the commit that stores what it is of: of receipts and issues under the row's version, of invoices by
// the issuer's billing actor alone.

import { defineTable } from '../runtime/store/table.js'

export interface DocumentNumber {
  /** Who issues the documents: an organization, or the installation. */
  readonly organization_id: string
  readonly series: 'receipt' | 'invoice' | 'issue'
  readonly version: number
  /** The last number given. */
  readonly last: number
}

/** In the place of an organization, of a series that is the installation's own. */
export const theInstallation = 'installation'

export const documentNumbersTable = defineTable<DocumentNumber>({
  name: 'document_numbers',
  key: (row) => [row.organization_id, row.series],
  importance: 'operation',
})
