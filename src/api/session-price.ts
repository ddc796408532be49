// What a session costs, as callers see it: as it was priced when it ended, or, while it runs, by the same function as of now.

import { Type } from 'typebox'
import { type PricedSession, priceSession } from '../actors/pricing/price-session.js'
import type { SessionFacts } from '../actors/pricing/session-facts.js'
import { statusSpans } from '../actors/pricing/status-spans.js'
import { billingRulesTable } from '../actors/records/billing-rule.js'
import { type Session, sessionsTable } from '../actors/records/session.js'
import { type SessionCost, sessionCostsTable } from '../actors/records/session-cost.js'
import { tariffSnapshotsTable } from '../actors/records/tariff-snapshot.js'
import { AmpshardError } from '../runtime/errors.js'
import type { ReadView } from '../runtime/store.js'
import type { Principal } from './principal.js'
import { energyDeliveredWh } from './sessions.js'

export const sessionParams = Type.Object({ session_id: Type.String({ maxLength: 64 }) })

export interface SessionPrice {
  readonly priced: PricedSession
  /** False while the session runs: the price may still grow. */
  readonly final: boolean
  /** ISO 8601. */
  readonly pricedAt: string
}

/** Throws `not_found`, also for another organization's session. */
export function ownSession(view: ReadView, principal: Principal, sessionId: string): Session {
  const session = view.get(sessionsTable, [sessionId])
  if (session?.organization_id === principal.organization.organization_id) return session
  throw new AmpshardError('not_found', 'there is no such session')
}

export function notPriced(): AmpshardError {
  return new AmpshardError('session_not_priced', 'the charge point had no tariff when the session began')
}

/** The cost with which a session ended. Throws `session_not_ended` while it runs, `session_not_priced` where it has none. */
export function costAtEnd(view: ReadView, session: Session): SessionCost {
  if (session.ended_at === undefined)
    throw new AmpshardError('session_not_ended', 'the session runs: what it costs is known when it has ended')
  const cost = view.get(sessionCostsTable, [session.session_id])
  if (cost === undefined) throw notPriced()
  return cost
}

/** `now` in ms. Undefined for a session that has no price: its charge point had no tariff when it began. */
export function sessionPrice(view: ReadView, session: Session, now: number): SessionPrice | undefined {
  const cost = view.get(sessionCostsTable, [session.session_id])
  if (cost !== undefined) return { priced: cost.priced, final: true, pricedAt: cost.priced_at }
  if (session.ended_at !== undefined || session.tariff_snapshot === undefined) return undefined
  const row = view.get(tariffSnapshotsTable, [session.tariff_snapshot])
  if (row === undefined) return undefined
  const rules = view.listBy(billingRulesTable, 'byActive', [session.organization_id, 1])
  const priced = priceSession(factsSoFar(view, session, now), row.snapshot, rules)
  return { priced, final: false, pricedAt: new Date(now).toISOString() }
}

function factsSoFar(view: ReadView, session: Session, now: number): SessionFacts {
  const startedAt = Date.parse(session.started_at)
  return {
    sessionId: session.session_id,
    startedAt,
    asOf: now,
    energyWh: energyDeliveredWh(view, session, now),
    samples: [],
    spans: statusSpans(session.statuses ?? [], startedAt),
    idTag: session.id_tag,
    connectorId: session.connector_id,
    chargePointId: session.charge_point_id,
    ...(session.site_id !== undefined && { siteId: session.site_id }),
    ...(session.auth_method !== undefined && { authMethod: session.auth_method }),
  }
}
