// What was kept for a partner that was deleted goes, some rows at a time. What bills stays: sessions, and the CDRs that were made.

import { ocpiChargingProfilesTable, ocpiToldProfilesTable } from '../../records/ocpi-charging-profile.js'
import { ocpiCommandsTable, ocpiReservationsTable } from '../../records/ocpi-command.js'
import { ocpiCommandResultsTable } from '../../records/ocpi-command-result.js'
import { ocpiExchangesTable } from '../../records/ocpi-exchange.js'
import { ocpiHubPartiesTable } from '../../records/ocpi-hub-party.js'
import { ocpiCdrPushesTable, ocpiKnownTariffsTable, ocpiProgressTable } from '../../records/ocpi-push.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { wakeAfter, wakeNoMore } from '../../runtime/actor/wake-ups.js'
import type { ReadView } from '../../runtime/store/store.js'
import type { Table } from '../../runtime/store/table.js'
import { endAlerts } from './alerts.js'
import { limits } from './limits.js'
import { ocpiPartnerAddress } from './messages.js'
import type { OcpiPartnerState } from './state.js'

/** Their keys begin with the partner. */
const tables = [
  ocpiCdrPushesTable,
  ocpiExchangesTable,
  ocpiKnownTariffsTable,
  ocpiHubPartiesTable,
  ocpiChargingProfilesTable,
  ocpiToldProfilesTable,
  ocpiCommandsTable,
  ocpiReservationsTable,
  ocpiCommandResultsTable,
] as readonly Table<unknown>[]

function removals(view: ReadView, table: Table<unknown>, partnerId: string, limit: number): readonly Effect[] {
  return limit === 0 ? [] : view.list(table, [partnerId], { limit }).map((row) => effect.remove(table, table.key(row)))
}

/** `reason`: of the wake-up, which stays until all of it is gone. */
export function forget(state: OcpiPartnerState, reason: string, context: Context): readonly Effect[] {
  const address = ocpiPartnerAddress(context.id)
  const removed: Effect[] = []
  for (const table of tables)
    removed.push(...removals(context.read(), table, context.id, limits.ocpiForgottenRows - removed.length))
  if (removed.length === limits.ocpiForgottenRows) return [...removed, wakeAfter(address, reason, 0, context)]
  return [
    ...removed,
    ...endAlerts(state, context),
    effect.remove(ocpiProgressTable, [context.id]),
    wakeNoMore(address, reason),
  ]
}
