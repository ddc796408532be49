// Organizations with alerts that have not been mailed: their actors are informed, some at a look, until there are none left.

import { unsentAlertsTable } from '../../records/alert.js'
import { type AlertMailMessage, alertMailAddress } from '../alert-mail/messages.js'
import { limits } from './limits.js'
import type { AlertClockOptions } from './options.js'

export interface UnsentAlerts {
  send(): void
}

export function createUnsentAlerts({ view, tell }: AlertClockOptions): UnsentAlerts {
  /** The one that was informed last, where the last look had to stop. */
  let last: string | undefined
  return {
    send() {
      for (let sent = 0; sent < limits.mailedOrganizationsPerLook; sent++) {
        const query = { ...(last !== undefined && { from: [`${last}\0`] }), limit: 1 }
        last = view().list(unsentAlertsTable, [], query)[0]?.organization_id
        if (last === undefined) return
        tell(alertMailAddress(last), { type: 'alerts-unsent' } satisfies AlertMailMessage)
      }
    },
  }
}
