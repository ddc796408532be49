// What the world is told of sessions: one function per event. A session without a tariff has no cost: cost and currency are null.

import type { Context, Effect } from '../../runtime/actor.js'
import { effect } from '../../runtime/actor.js'
import type { PricedSession } from '../pricing/price-session.js'
import type { Session } from '../records/session.js'
import type { State } from './state.js'

/** An event of a session: who, where and since when, and what this kind tells beside it. */
export function sessionEvent(event: string, session: Session, more: Readonly<Record<string, unknown>>): Effect {
  const { session_id, charge_point_id, connector_id, transaction_id, id_tag, started_at } = session
  return effect.event({
    event,
    organizationId: session.organization_id,
    subject: charge_point_id,
    data: { session_id, charge_point_id, connector_id, transaction_id, id_tag, started_at, ...more },
  })
}

export function sessionEnded(session: Session): Effect {
  return sessionEvent('session.ended', session, {
    ended_at: session.ended_at,
    energy_kwh: (session.energy_wh ?? 0) / 1000,
    stop_reason: session.stop_reason,
    status: session.status,
    cost: session.cost ?? null,
    currency: session.currency ?? null,
  })
}

/** Both forms of the interface's event: `id`, `driver_id` and the rest are form B's. */
export function sessionStarted(session: Session): Effect {
  return sessionEvent('session.started', session, {
    id: session.session_id,
    driver_id: session.id_tag,
    authorization_method: session.auth_method ?? null,
    tariff_id: session.tariff_id ?? null,
    site_id: session.site_id ?? null,
  })
}

/** What a running session costs as of `asOf` (ISO 8601). */
export function sessionCostUpdated(session: Session, priced: PricedSession, asOf: string): Effect {
  return sessionEvent('session.cost_updated', session, {
    cost: priced.total,
    currency: priced.currency,
    energy_kwh: priced.trace.energy.measured_wh / 1000,
    duration_seconds: priced.trace.time.duration_seconds,
    as_of: asOf,
  })
}

/** A StopTransaction that had been kept apart has been found to be this session's. */
export function sessionReconciled(session: Session, unmatchedId: string, by: string): Effect {
  return sessionEvent('session.reconciled', session, {
    unmatched_id: unmatchedId,
    attached_by: by,
    status: session.status,
    energy_kwh: (session.energy_wh ?? 0) / 1000,
    cost: session.cost ?? null,
    currency: session.currency ?? null,
  })
}

/** A tag may charge here: said by Authorize, or by the start of a session that was commanded from afar. */
export function sessionAuthorized(state: State, idTag: string, method: string, context: Context): Effect {
  const data = { charge_point_id: context.id, id_tag: idTag, authorization_method: method }
  return effect.event({
    event: 'session.authorized',
    organizationId: state.row.organization_id,
    subject: context.id,
    data,
  })
}
