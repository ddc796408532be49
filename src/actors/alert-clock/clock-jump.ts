// Whether the clock of the service has jumped ahead, and waits for confirmation.

import { clockJumpedAhead } from '../../alert-kinds/clock-jumped-ahead.js'
import { finding, standingChanges } from '../../alerts/alert.js'
import { installationTable } from '../../records/organization.js'
import type { AlertClockOptions } from './options.js'

export async function lookAtClock({ view, commit, now, newId, unconfirmed }: AlertClockOptions): Promise<void> {
  const organizationId = view().get(installationTable, ['installation'])?.default_organization_id
  if (organizationId === undefined) return
  const aheadMs = unconfirmed()
  const found = finding(clockJumpedAhead, { organizationId, subject: 'clock' }, Math.round(aheadMs / 1_000))
  const changes = standingChanges(view(), found, aheadMs > 0, { now: now(), newId })
  if (changes.length > 0) await commit(changes)
}
