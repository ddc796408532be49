// How many numbers of documents a restored backup leaves out, so that none is given twice.

import { defineLimits } from '../runtime/define-limits.js'

export const limits = defineLimits({
  /** Receipt numbers of an organization that a restore leaves out, and one more for so many a second since the backup was taken. */
  skippedReceiptsPerRestore: 1_000,
  skippedReceiptsPerSecond: 10,
  /** Invoice numbers of an issuer that a restore leaves out, and more for each organization and month that may have been billed since. */
  skippedInvoicesPerRestore: 100,
  skippedInvoicesPerOrganizationAndMonth: 5,
  /** Numbers of reported issues that a restore leaves out, and so many more for each minute since the backup was taken. */
  skippedIssuesPerRestore: 100,
  skippedIssuesPerMinute: 10,
})
