// What becomes of reservations when their charge point is removed: nobody can use them any more, and whoever registers its id next
// must neither be held up by them nor hear of them.

import { reservationsTable } from '../../records/reservation.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { limits } from './limits.js'
import { end, settleCancel } from './reservations.js'
import type { State } from './state.js'

/** `organizationId` had the charge point; what was reserved since the id was registered again is of its new life. */
export function endReservationsOfRemoved(state: State, organizationId: string, context: Context): readonly Effect[] {
  const view = context.read()
  const again = state.registration?.organization_id === organizationId ? state.registration.created_at : undefined
  const isFormer = ({ created_at }: { readonly created_at: string }) => again === undefined || created_at < again
  const query = { limit: limits.activeReservations }
  const active = view
    .listBy(reservationsTable, 'byChargePointStatus', [organizationId, context.id, 'active'], query)
    .filter(isFormer)
    .flatMap((reservation) => end(reservation, 'cancelled', { cancel_reason: 'charge_point_removed' }, context))
  const owed = view
    .listBy(reservationsTable, 'byCancelOwed', [context.id], query)
    .filter((reservation) => reservation.organization_id === organizationId && isFormer(reservation))
  return [...active, ...owed.map(settleCancel)]
}
