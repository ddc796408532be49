// What brings a store of an older version to this one: for each version, the tables whose rows it changed, a file each.
// A step knows the rows of the version before it by what is written there, never by the types of today's records.

import type { Migration } from '../../runtime/store/storage/migrate.js'
import { alertsNameTheirNodeAndNoticesAreSeen } from './2-alerts.js'
import { ownerKeysHaveAllScopes } from './2-api-keys.js'
import { invoiceNumbersAreTheIssuers } from './2-billing-progress.js'
import { undeclaredConnectorsAreCounted } from './2-charge-point-states.js'
import { countsAreKnownOrNot } from './2-charge-points.js'
import { runningSessionsAreListed } from './2-sessions.js'
import { auditEntriesAreListedByTime } from './3-audit-entries.js'
import { unbilledSessionsAreListed } from './3-session-costs.js'

export const migrations: readonly Migration[] = [
  {
    to: 2,
    steps: [
      runningSessionsAreListed,
      ownerKeysHaveAllScopes,
      countsAreKnownOrNot,
      undeclaredConnectorsAreCounted,
      alertsNameTheirNodeAndNoticesAreSeen,
      invoiceNumbersAreTheIssuers,
    ],
  },
  { to: 3, steps: [auditEntriesAreListedByTime, unbilledSessionsAreListed] },
]
