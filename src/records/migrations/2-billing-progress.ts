// Version 1 numbered the invoices of each organization by itself, though the installation's organization issued all of them. From now on an
// issuer has one sequence: it begins above every number that was given in its name, and those that were given stay as they are.

import { defineMigrationStep } from '../../runtime/store/storage/migrate.js'
import { documentNumbersTable } from '../document-number.js'
import { type BillingProgress, billingProgressTable } from '../invoice.js'
import { installationTable } from '../organization.js'

export const invoiceNumbersAreTheIssuers = defineMigrationStep<BillingProgress>(
  billingProgressTable,
  (stored, { view, put }) => {
    const { last_number: given, ...progress } = stored as BillingProgress & { readonly last_number: number }
    const issuer = view.get(installationTable, ['installation'])?.default_organization_id ?? progress.organization_id
    const before = view.get(documentNumbersTable, [issuer, 'invoice'])
    const last = Math.max(before?.last ?? 0, given)
    put(documentNumbersTable, {
      organization_id: issuer,
      series: 'invoice',
      version: (before?.version ?? 0) + 1,
      last,
    })
    return progress
  },
)
