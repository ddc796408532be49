// Charging for nothing may be an oversight: the first session that starts without a tariff is told, once for each charge point.

import { raise } from '../../alerts/alert.js'
import { alertsTable } from '../../records/alert.js'
import { organizationsTable } from '../../records/organization.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import type { State } from './state.js'

const none: readonly Effect[] = []
const kind = 'charging_without_tariff'

export function noteFreeCharging(state: State, connectorId: number, context: Context): readonly Effect[] {
  const view = context.read()
  const organizationId = state.row.organization_id
  if (state.toldOfFreeCharging || view.get(organizationsTable, [organizationId])?.free_charging === true) return none
  state.toldOfFreeCharging = true
  if (view.listBy(alertsTable, 'bySubject', [organizationId, kind, context.id], { limit: 1 }).length > 0) return none
  const finding = {
    kind,
    organizationId,
    subject: context.id,
    chargePointId: context.id,
    connectorId,
    message:
      'a session has started at a charge point without a tariff: it costs nothing, nor do those that follow. ' +
      "Assign a tariff or set the organization's default_tariff_id; where charging is meant to be free, set free_charging.",
  } as const
  return raise(finding, context).effects
}
