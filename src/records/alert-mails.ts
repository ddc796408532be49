// When an organization was last mailed about its alerts: what keeps the mails of an hour bounded, over restarts too. Written by its
// alert-mail actor alone.

import { defineTable } from '../runtime/store/table.js'

export interface AlertMails {
  readonly organization_id: string
  /** Wall ms of the mails of the last hour. */
  readonly mailed_at: readonly number[]
  /** Of those that went out beyond the bound, because what they tell is critical; none where it is absent. */
  readonly critical_mailed_at?: readonly number[]
}

export const alertMailsTable = defineTable<AlertMails>({
  name: 'alert_mails',
  key: (row) => [row.organization_id],
  importance: 'operation',
})
