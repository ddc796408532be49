// Version 2 listed the entries of the audit log by their ids. From now on they are listed by the time that they show.

import { defineMigrationStep } from '../../runtime/store/storage/migrate.js'
import { type AuditEntry, auditTable } from '../audit-entry.js'

export const auditEntriesAreListedByTime = defineMigrationStep<AuditEntry>(auditTable, (stored) => stored as AuditEntry)
