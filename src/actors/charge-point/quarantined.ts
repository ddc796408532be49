// What the organization of a charge point is told when its actor has failed so often that it is left alone for a while.

import { chargePointQuarantined } from '../../alert-kinds/charge-point-quarantined.js'
import { finding, noticeAtMostHourly } from '../../alerts/alert.js'
import { chargePointsTable } from '../../records/charge-point.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'

export function quarantined(context: Context): readonly Effect[] {
  const registration = context.read().get(chargePointsTable, [context.id])
  if (registration === undefined) return []
  const about = { organizationId: registration.organization_id, subject: context.id, chargePointId: context.id }
  return noticeAtMostHourly(finding(chargePointQuarantined, about), context)
}
