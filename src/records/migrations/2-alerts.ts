// Version 1 listed every notice as history. From now on a notice is to be looked at until somebody has acknowledged it.

import { defineMigrationStep } from '../../runtime/store/storage/migrate.js'
import { type Alert, alertAcknowledgementsTable, alertsTable } from '../alert.js'

export const acknowledgedNoticesAreSeen = defineMigrationStep<Alert>(alertsTable, (stored, beside) => {
  const alert = stored as Alert
  const isAcknowledged = beside.view.get(alertAcknowledgementsTable, [alert.alert_id]) !== undefined
  return alert.status === 'notice' && isAcknowledged ? { ...alert, seen: true } : alert
})
