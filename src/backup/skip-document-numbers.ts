// A restored store has forgotten the documents that were issued after the backup, and the issues that were reported; people have them. Their
// numbers must not be given to others, so the series go on beyond them, with a gap.

import { type DocumentNumber, documentNumbersTable, theInstallation } from '../records/document-number.js'
import { installationTable, organizationsTable } from '../records/organization.js'
import { encodeRow } from '../runtime/codec.js'
import type { Change, ReadView } from '../runtime/store/store.js'
import { limits } from './limits.js'

const shortestMonthMs = 28 * 24 * 3_600_000

/**
 * `milliseconds`: how far the store has gone back in time. Also for organizations that had issued nothing then: they may have, since.
 * Receipts are issued at any time; invoices at the end of a month, and only by who issues any, for each organization and currency.
 */
export function skipDocumentNumbers(view: ReadView, milliseconds: number): Change[] {
  const gone = Math.max(0, milliseconds)
  const organizations = view.list(organizationsTable, [])
  const receipts = limits.skippedReceiptsPerRestore + Math.ceil(gone / 1_000) * limits.skippedReceiptsPerSecond
  const monthEnds = Math.floor(gone / shortestMonthMs) + 1
  const invoices =
    limits.skippedInvoicesPerRestore + monthEnds * organizations.length * limits.skippedInvoicesPerOrganizationAndMonth
  const operator = view.get(installationTable, ['installation'])?.default_organization_id
  const issues = limits.skippedIssuesPerRestore + Math.ceil(gone / 60_000) * limits.skippedIssuesPerMinute
  const ofOrganizations = organizations.flatMap(({ organization_id: id }) => {
    const issuesInvoices = id === operator || view.get(documentNumbersTable, [id, 'invoice']) !== undefined
    return [skip(view, id, 'receipt', receipts), ...(issuesInvoices ? [skip(view, id, 'invoice', invoices)] : [])]
  })
  return [...ofOrganizations, skip(view, theInstallation, 'issue', issues)]
}

function skip(view: ReadView, organizationId: string, series: DocumentNumber['series'], numbers: number): Change {
  const before = view.get(documentNumbersTable, [organizationId, series])
  const row: DocumentNumber = {
    organization_id: organizationId,
    series,
    version: (before?.version ?? 0) + 1,
    last: (before?.last ?? 0) + numbers,
  }
  return { type: 'put', table: documentNumbersTable.name, key: documentNumbersTable.key(row), row: encodeRow(row) }
}
