// What a session costs, as callers see it: as it was priced when it ended, or, while it runs, by the same function as of now.

import { energyDeliveredWh } from '../../../actors/charge-point/energy-delivered.js'
import { sessionNotPriced } from '../../../actors/charge-point/errors.js'
import { priceSoFar } from '../../../actors/charge-point/session-cost.js'
import type { PricedSession } from '../../../pricing/price-session.js'
import type { Session } from '../../../records/session.js'
import { type SessionCost, sessionCostsTable } from '../../../records/session-cost.js'
import type { AmpshardError } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { sessionNotEnded } from './errors.js'

export interface SessionPrice {
  readonly priced: PricedSession
  /** False while the session runs: the price may still grow. */
  readonly final: boolean
  /** ISO 8601. */
  readonly pricedAt: string
}

export function notPriced(): AmpshardError {
  return sessionNotPriced('the session has no cost because no tariff applied at its start')
}

/** The cost with which a session ended. Throws `session_not_ended` while it runs, `session_not_priced` where it has none. */
export function costAtEnd(view: ReadView, session: Session): SessionCost {
  if (session.ended_at === undefined)
    throw sessionNotEnded('the session is still running; its cost is known once it has ended')
  const cost = view.get(sessionCostsTable, [session.session_id])
  if (cost === undefined) throw notPriced()
  return cost
}

/** `now` in ms. Undefined for a session that has no price: its charge point had no tariff when it began. */
export function sessionPrice(view: ReadView, session: Session, now: number): SessionPrice | undefined {
  const cost = view.get(sessionCostsTable, [session.session_id])
  if (cost !== undefined) return { priced: cost.priced, final: true, pricedAt: cost.priced_at }
  if (session.ended_at !== undefined) return undefined
  const priced = priceSoFar(view, session, { asOf: now, energyWh: energyDeliveredWh(view, session) })
  return priced && { priced, final: false, pricedAt: new Date(now).toISOString() }
}
