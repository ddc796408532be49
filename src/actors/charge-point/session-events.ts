// What the world is told of sessions: one function per event.

import { type EventAbout, emit } from '../../events/define-event.js'
import * as events from '../../events/session.js'
import type { PricedSession } from '../../pricing/price-session.js'
import type { Session } from '../../records/session.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { aboutChargePoint, type State } from './state.js'

function about(session: Session): EventAbout {
  return { organizationId: session.organization_id, subject: session.charge_point_id }
}

/** Who, where and since when. */
function namesOf({ session_id, charge_point_id, connector_id, transaction_id, id_tag, started_at }: Session) {
  return { session_id, charge_point_id, connector_id, transaction_id, id_tag, started_at }
}

function costOf(session: Session) {
  return {
    energy_kwh: (session.energy_wh ?? 0) / 1000,
    cost: session.cost ?? null,
    currency: session.currency ?? null,
    status: session.status,
  }
}

export function sessionEnded(session: Session): Effect {
  return emit(events.sessionEnded, about(session), {
    ...namesOf(session),
    ...costOf(session),
    subtotal: session.subtotal ?? null,
    tax: session.tax ?? null,
    meter_start: session.meter_start,
    meter_stop: session.meter_stop ?? null,
    tariff_id: session.tariff_id ?? null,
    site_id: session.site_id ?? null,
    ended_at: session.ended_at ?? null,
    stop_reason: session.stop_reason ?? null,
    flags: [...session.flags],
  })
}

/** Both forms of the interface's event: `id`, `driver_id` and the rest are form B's. */
export function sessionStarted(session: Session): Effect {
  return emit(events.sessionStarted, about(session), {
    ...namesOf(session),
    id: session.session_id,
    driver_id: session.id_tag,
    authorization_method: session.auth_method ?? null,
    tariff_id: session.tariff_id ?? null,
    site_id: session.site_id ?? null,
  })
}

/** What a running session costs as of `asOf` (ISO 8601). */
export function sessionCostUpdated(session: Session, priced: PricedSession, asOf: string): Effect {
  return emit(events.sessionCostUpdated, about(session), {
    ...namesOf(session),
    cost: priced.total,
    currency: priced.currency,
    energy_kwh: priced.trace.energy.measured_wh / 1000,
    duration_seconds: Math.round(priced.trace.time.duration_seconds),
    as_of: asOf,
  })
}

/** A StopTransaction that had been kept apart has been found to be this session's. */
export function sessionReconciled(session: Session, unmatchedId: string, by: string): Effect {
  return emit(events.sessionReconciled, about(session), {
    ...namesOf(session),
    ...costOf(session),
    unmatched_id: unmatchedId,
    attached_by: by,
  })
}

/** A tag may charge here: said by Authorize, or by the start of a session that was commanded from afar. */
export function sessionAuthorized(state: State, idTag: string, method: string, context: Context): Effect {
  return emit(events.sessionAuthorized, aboutChargePoint(state, context), {
    charge_point_id: context.id,
    id_tag: idTag,
    authorization_method: method,
  })
}
