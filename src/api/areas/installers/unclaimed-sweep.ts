// Charge points that nobody has claimed, and that nobody misses, are removed: they take up room that all installers share. What is over is seen from
// what is stored, so a sweep that was cut short begins again, and leaves nothing.

import { auditTable, newAuditEntry, noOrganization } from '../../../records/audit-entry.js'
import {
  type ChargePoint,
  chargePointsTable,
  type InstalledChargePoint,
  isInstalled,
  isUnclaimed,
} from '../../../records/charge-point.js'
import { installersTable } from '../../../records/installer.js'
import { isOnline } from '../../../records/presence.js'
import { lastSeenAt } from '../../../records/sign-of-life.js'
import { AmpshardError, notFound } from '../../../runtime/errors.js'
import type { Change, ReadView } from '../../../runtime/store/store.js'
import { after, type Key } from '../../../runtime/store/table.js'
import { putRow } from '../../pipeline/changes.js'
import type { RowReader } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'
import { stateOf } from '../charge-points/charge-points.js'
import { removeUnclaimed } from '../installer-charge-points/remove-unclaimed.js'
import { operatorOf } from '../organizations/operator.js'
import { limits } from './limits.js'

/** Why one is removed: as it is counted, and as the audit log says it. */
export const removalReasons = {
  account_deleted: 'the account of its installer is deleted',
  not_connected: 'not connected for 30 days',
} as const
export type RemovalReason = keyof typeof removalReasons

export interface UnclaimedSweep {
  /** How many this one has removed, by why. */
  readonly removed: Readonly<Record<RemovalReason, number>>
  /** Goes on where the last look has ended, a page at a time; from the end, to the beginning. */
  look(): Promise<void>
}

export function createUnclaimedSweep(services: Services): UnclaimedSweep {
  let from: Key = []
  let isLooking = false
  const removed: Record<RemovalReason, number> = { account_deleted: 0, not_connected: 0 }

  async function look(): Promise<void> {
    const query = { from, limit: limits.unclaimedAtOnce }
    const rows = services.view().listBy(chargePointsTable, 'unclaimed', [], query)
    const last = rows.at(-1)
    const isEnd = last === undefined || rows.length < limits.unclaimedAtOnce
    from = isEnd ? [] : after(chargePointsTable.key(last))
    for (const row of rows) {
      const reason = whyOver(row, services.view(), services)
      if (reason !== undefined && (await remove(row.charge_point_id, services))) removed[reason]++
    }
  }

  return {
    removed,
    async look() {
      if (isLooking || services.draining()) return
      isLooking = true
      try {
        await look()
      } catch (error) {
        services.log.error({ err: error }, 'charge points that no organization has claimed could not be looked at')
      } finally {
        isLooking = false
      }
    },
  }
}

/** Undefined for one that stays: one that is connected stays until it is not. */
function whyOver(
  row: ChargePoint,
  reader: RowReader,
  { view, presence, clock }: Pick<Services, 'view' | 'presence' | 'clock'>,
): RemovalReason | undefined {
  if (!isInstalled(row) || !isUnclaimed(row)) return undefined
  const state = stateOf(view(), row)
  if (isOnline(state, presence.live)) return undefined
  if (reader.get(installersTable, [row.installed.installer_id]) === undefined) return 'account_deleted'
  const seenAt = state && lastSeenAt(view(), state)
  const times = [row.installed.registered_at, state?.disconnected_at, state?.connected_at, seenAt]
  const heardAt = Math.max(...times.flatMap((time) => (time === undefined ? [] : [Date.parse(time)])))
  return clock.confirmed() - heardAt > limits.unclaimedAwayMs ? 'not_connected' : undefined
}

/** Resolves with whether it is removed. One that has a running session, or is being changed, is looked at again in the next round. */
async function remove(chargePointId: string, services: Services): Promise<boolean> {
  try {
    await removeUnclaimed((draft) => {
      const row = draft.get(chargePointsTable, [chargePointId])
      const reason = row && whyOver(row, draft, services)
      if (row === undefined || !isInstalled(row) || reason === undefined) throw notFound('it stays')
      draft.add({ changes: [auditEntry(row, reason, draft.view, services.clock.now())] })
      return row
    }, services)
    services.log.info({ chargePointId }, 'a charge point that no organization has claimed was removed')
    return true
  } catch (error) {
    if (!(error instanceof AmpshardError)) throw error
    return false
  }
}

/** In the log of the operator of the installation, as what installers do. */
function auditEntry(
  { charge_point_id, installed }: InstalledChargePoint,
  reason: RemovalReason,
  view: ReadView,
  now: number,
): Change {
  const entry = {
    organization_id: operatorOf(view)?.organization_id ?? noOrganization,
    action: 'removeUnclaimedChargePoint',
    method: 'SERVICE',
    path: removalReasons[reason],
    resources: { charge_point_id, installer_id: installed.installer_id },
    status: 204,
  }
  return putRow(auditTable, newAuditEntry(entry, now))
}
