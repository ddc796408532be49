// Organizations with alerts that have not been mailed: their actors are informed, some at a look, until there are none left.

import { type AlertMailMessage, alertMailAddress } from '../../actors/alert-mail/messages.js'
import { untoldAlertsTable } from '../../records/alert.js'
import { limits } from './limits.js'
import type { AlertClockOptions } from './options.js'

export interface UnsentAlerts {
  tell(): void
}

export function createUnsentAlerts({ view, tell }: AlertClockOptions): UnsentAlerts {
  /** The one that was told last, where the last look had to stop. */
  let last: string | undefined
  return {
    tell() {
      for (let told = 0; told < limits.mailedOrganizationsPerLook; told++) {
        const query = { ...(last !== undefined && { from: [`${last}\0`] }), limit: 1 }
        last = view().list(untoldAlertsTable, [], query)[0]?.organization_id
        if (last === undefined) return
        tell(alertMailAddress(last), { type: 'alerts-untold' } satisfies AlertMailMessage)
      }
    },
  }
}
