// A charge point that no organization has claimed is deleted: by its installer, or by the operator of the installation.

import { type CloseSessionMessage, chargePointAddress } from '../../../actors/charge-point/messages.js'
import { chargePointsTable, type InstalledChargePoint, isUnclaimed } from '../../../records/charge-point.js'
import { newestSession } from '../../../records/commissioning.js'
import { foldIdTag } from '../../../records/id-tag.js'
import { isOnline } from '../../../records/presence.js'
import { sessionsTable } from '../../../records/session.js'
import { conflict } from '../../../runtime/errors.js'
import { askActor } from '../../pipeline/ask-actor.js'
import { commitDraft } from '../../pipeline/commit-draft.js'
import { type Draft, openDraft } from '../../pipeline/draft.js'
import { limits as pipelineLimits } from '../../pipeline/limits.js'
import type { Services } from '../../pipeline/services.js'
import { stateOf } from '../charge-points/charge-points.js'
import { removeAlong } from '../charge-points/removal.js'
import { requireUnclaimed } from './change-installed.js'
import { limits } from './limits.js'

export const whatIsRemoved =
  'Only while it is offline and has no running session; the test transaction of a commissioning is closed by estimate. Its sessions and commands are kept. The certificates that were issued for it are no longer accepted.'

/** `find` holds the row by the draft, and throws where the caller has none. Throws `charge_point_claimed`, `conflict` and `overloaded`, too. */
export async function removeUnclaimed(find: (draft: Draft) => InstalledChargePoint, services: Services): Promise<void> {
  const otherwise = () => conflict('the charge point is being changed; try again')
  await closeTestCharge(find(openDraft(services.view(), services.clock.now())), services)
  await commitDraft(
    { attempts: pipelineLimits.commitAttempts, decide: (draft) => remove(draft, find(draft), services), otherwise },
    services,
  )
}

function isAway(row: InstalledChargePoint, { view, presence }: Pick<Services, 'view' | 'presence'>): boolean {
  return !isOnline(stateOf(view(), row), presence.live)
}

/** It waits for the charge point to be back, which may be never. */
async function closeTestCharge(row: InstalledChargePoint, services: Services): Promise<void> {
  const { charge_point_id, organization_id } = row
  if (!isUnclaimed(row) || !isAway(row, services)) return
  const commissioning = newestSession(services.view(), charge_point_id)
  const tags = [commissioning?.test?.id_tag, commissioning?.owed_stop?.id_tag]
    .flatMap((tag) => tag ?? [])
    .map(foldIdTag)
  const running = services.view().listBy(sessionsTable, 'activeAtChargePoint', [organization_id, charge_point_id], {
    limit: limits.runningSessionsShown,
  })
  for (const { session_id: sessionId, id_tag } of running) {
    if (!tags.includes(foldIdTag(id_tag))) continue
    const message: CloseSessionMessage = { type: 'close-session', sessionId, reason: 'Other' }
    await askActor(services, chargePointAddress(charge_point_id), message)
  }
}

function remove(
  draft: Draft,
  row: InstalledChargePoint,
  services: Pick<Services, 'clock' | 'view' | 'presence'>,
): void {
  requireUnclaimed(row)
  const extras = { chargePointId: row.charge_point_id }
  if (!isAway(row, services))
    throw conflict('the charge point is connected: only one that is offline can be deleted', extras)
  removeAlong(draft, row, conflict('the charge point has a running session', extras), services)
  draft.remove(chargePointsTable, [row.charge_point_id])
}
