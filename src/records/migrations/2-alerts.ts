// Version 1 listed every notice as history; from now on a notice is to be looked at until somebody has acknowledged it. It also knew one
// node; from now on the alert about a disk says whose it is, so that its node finds it and can resolve it.

import { storageSubject } from '../../alert-kinds/storage-space-low.js'
import { onlyNode } from '../../runtime/link/numbers.js'
import { defineMigrationStep } from '../../runtime/store/storage/migrate.js'
import { type Alert, alertAcknowledgementsTable, alertsTable } from '../alert.js'

const subjectOfDisks = 'storage'

export const alertsNameTheirNodeAndNoticesAreSeen = defineMigrationStep<Alert>(alertsTable, (stored, beside) => {
  const alert = stored as Alert
  const isAcknowledged = beside.view.get(alertAcknowledgementsTable, [alert.alert_id]) !== undefined
  return {
    ...alert,
    ...(alert.subject === subjectOfDisks && { subject: storageSubject(onlyNode) }),
    ...(alert.status === 'notice' && isAcknowledged && { seen: true as const }),
  }
})
