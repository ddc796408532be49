// Charge points that were connected when an earlier process ended without a word, and have not come back. A start rewrites no row:
// they are found by the life of the node in which they were connected, some at a time, once those that come back at once have done so.

import { listLost } from '../../records/presence.js'
import { type AlertMessage, chargePointAddress } from '../charge-point/messages.js'
import { limits } from './limits.js'
import type { AlertClockOptions } from './options.js'

const patienceMs = 60_000

export function sendLostPresences({ view, tell, now, uptime, live }: AlertClockOptions): void {
  if (uptime() < patienceMs) return
  // Away since the start, as far as this run knows: what was before is not counted against them.
  const since = now() - uptime()
  for (const { charge_point_id } of listLost(view(), live, limits.alertsPerLook))
    tell(chargePointAddress(charge_point_id), { type: 'presence-lost', since } satisfies AlertMessage)
}
