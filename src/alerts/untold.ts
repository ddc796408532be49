// Organizations with alerts that have not been mailed: their actors are told, until there are none left.

import { type AlertMailMessage, alertMailAddress } from '../actors/alert-mail/messages.js'
import { untoldAlertsTable } from '../actors/records/alert.js'
import type { AlertClockOptions } from './clock.js'

export function tellUntold({ view, tell }: AlertClockOptions): void {
  for (let last: string | undefined; ; ) {
    const query = { ...(last !== undefined && { from: [`${last}\0`] }), limit: 1 }
    const organizationId = view().list(untoldAlertsTable, [], query)[0]?.organization_id
    if (organizationId === undefined) return
    tell(alertMailAddress(organizationId), { type: 'alerts-untold' } satisfies AlertMailMessage)
    last = organizationId
  }
}
