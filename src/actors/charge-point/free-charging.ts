// Charging for nothing may be an oversight: the first session that starts without a tariff is told, once for each charge point.

import { chargingWithoutTariff } from '../../alert-kinds/charging-without-tariff.js'
import { finding, raise } from '../../alerts/alert.js'
import { alertsTable } from '../../records/alert.js'
import { organizationsTable } from '../../records/organization.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import type { State } from './state.js'

const none: readonly Effect[] = []

export function noteFreeCharging(state: State, connectorId: number, context: Context): readonly Effect[] {
  const view = context.read()
  const organizationId = state.row.organization_id
  if (state.toldOfFreeCharging || view.get(organizationsTable, [organizationId])?.free_charging === true) return none
  state.toldOfFreeCharging = true
  const subject = [organizationId, chargingWithoutTariff.name, context.id]
  if (view.listBy(alertsTable, 'bySubject', subject, { limit: 1 }).length > 0) return none
  const about = { organizationId, subject: context.id, chargePointId: context.id, connectorId }
  return raise(finding(chargingWithoutTariff, about), context).effects
}
