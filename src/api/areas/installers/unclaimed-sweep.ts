// Charge points that nobody has claimed, and that nobody misses, are removed: they take up room that all installers share. What is over is seen from
// what is stored, so a sweep that was cut short begins again, and leaves nothing.

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
import { after, type Key } from '../../../runtime/store/table.js'
import type { RowReader } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'
import { stateOf } from '../charge-points/charge-points.js'
import { removeUnclaimed } from '../installer-charge-points/remove-unclaimed.js'
import { limits } from './limits.js'

export interface UnclaimedSweep {
  /** Goes on where the last look has ended, a page at a time; from the end, to the beginning. */
  look(): Promise<void>
}

export function createUnclaimedSweep(services: Services): UnclaimedSweep {
  let from: Key = []
  let isLooking = false

  async function look(): Promise<void> {
    const query = { from, limit: limits.unclaimedAtOnce }
    const rows = services.view().listBy(chargePointsTable, 'unclaimed', [], query)
    const last = rows.at(-1)
    const isEnd = last === undefined || rows.length < limits.unclaimedAtOnce
    from = isEnd ? [] : after(chargePointsTable.key(last))
    for (const row of rows) if (isOver(row, services.view(), services)) await remove(row, services)
  }

  return {
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

/** Its account is gone, or it was not connected for too long; one that is connected stays until it is not. */
function isOver(
  row: ChargePoint,
  reader: RowReader,
  { view, presence, clock }: Pick<Services, 'view' | 'presence' | 'clock'>,
): row is InstalledChargePoint {
  if (!isInstalled(row) || !isUnclaimed(row)) return false
  const state = stateOf(view(), row)
  if (isOnline(state, presence.live)) return false
  if (reader.get(installersTable, [row.installed.installer_id]) === undefined) return true
  const seenAt = state && lastSeenAt(view(), state)
  const times = [row.installed.registered_at, state?.disconnected_at, state?.connected_at, seenAt]
  const heardAt = Math.max(...times.flatMap((time) => (time === undefined ? [] : [Date.parse(time)])))
  return clock.now() - heardAt > limits.unclaimedAwayMs
}

/** One that has a running session, or is being changed, is looked at again in the next round. */
async function remove({ charge_point_id }: InstalledChargePoint, services: Services): Promise<void> {
  try {
    await removeUnclaimed((draft) => {
      const row = draft.get(chargePointsTable, [charge_point_id])
      if (row === undefined || !isOver(row, draft, services)) throw notFound('it stays')
      return row
    }, services)
    services.log.info({ chargePointId: charge_point_id }, 'a charge point that no organization has claimed was removed')
  } catch (error) {
    if (!(error instanceof AmpshardError)) throw error
  }
}
