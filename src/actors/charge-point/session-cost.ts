// What a session costs, read from the store: as it is kept when it ends, and as it stands while it runs. Nothing that is wrong with a
// tariff or a rule keeps a session from ending: it then has no cost, and says so.

import { withAgreedTotal } from '../../pricing/agreed-total.js'
import { limits as pricingLimits } from '../../pricing/limits.js'
import { type PricedSession, priceSession } from '../../pricing/price-session.js'
import type { TariffSnapshot } from '../../pricing/tariff-terms.js'
import { type BillingRule, billingRulesTable } from '../../records/billing-rule.js'
import { factsOfSession, type SessionMaterial } from '../../records/facts-of-session.js'
import { type MeterValues, meterValuesTable } from '../../records/meter-values.js'
import type { Session } from '../../records/session.js'
import {
  type SessionCost,
  sessionCostsTable,
  unbilledSession,
  unbilledSessionsTable,
} from '../../records/session-cost.js'
import { tariffSnapshotsTable } from '../../records/tariff-snapshot.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import type { ReadView } from '../../runtime/store/store.js'
import { limits } from './limits.js'
import { logRarely } from './rare-log.js'

/** How far a running session has come: as of when (ms), and with what energy. */
export type SoFar = Required<Pick<SessionMaterial, 'asOf' | 'energyWh'>>

/** Said of a session that has a tariff and could not be priced. */
export const notPricedFlag = 'not_priced'

/** Said of a session that took more energy or time than one can, and is priced up to that. */
export const boundedFlag = 'price_bounded'

function isBeyondBounds({ started_at, ended_at, energy_wh = 0 }: Session): boolean {
  const seconds = (Date.parse(ended_at ?? started_at) - Date.parse(started_at)) / 1_000
  return energy_wh > pricingLimits.pricedEnergyWh || seconds > pricingLimits.pricedSeconds
}

export interface Settled {
  readonly session: Session
  readonly effects: readonly Effect[]
}

/**
 * The ended session with its cost, and the row that explains it. A session that ends a second time, by a late StopTransaction,
 * is priced by the rules that held when it first did: a rule made since must not reach back.
 */
export function settleCost(ended: Session, unstored: readonly MeterValues[], context: Context): Settled {
  const { cost_so_far: _, cost_told_at: __, cost: ___, subtotal: ____, tax: _____, ...rest } = ended
  const flags = rest.flags.filter((flag) => flag !== notPricedFlag && flag !== boundedFlag)
  const session = changedNow({ ...rest, flags: isBeyondBounds(rest) ? [...flags, boundedFlag] : flags }, context)
  if (session.tariff_snapshot === undefined) return { session, effects: [] }
  try {
    const view = context.read()
    const before = view.get(sessionCostsTable, [session.session_id])
    const rules = before?.rules ?? activeRules(view, session.organization_id)
    const agreed = before?.agreed
    const meterValues = [...explainingRows(view, session.session_id), ...unstored].sort((a, b) => a.at - b.at)
    const snapshot = readSnapshot(view, session.tariff_snapshot)
    const computed = priceSession(factsOfSession(session, { meterValues }), snapshot, rules)
    const priced = agreed === undefined ? computed : withAgreedTotal(computed, agreed)
    const pricedAt = new Date(context.now()).toISOString()
    const row: SessionCost = {
      session_id: session.session_id,
      organization_id: session.organization_id,
      charge_point_id: session.charge_point_id,
      ...(session.site_id !== undefined && { site_id: session.site_id }),
      ended_at: session.ended_at ?? session.started_at,
      tariff_snapshot: session.tariff_snapshot,
      priced,
      rules,
      ...(agreed !== undefined && { agreed, computed_at: pricedAt }),
      priced_at: pricedAt,
    }
    return { session: { ...session, ...costOf(priced) }, effects: storeCost(row, context) }
  } catch (error) {
    logRarely(
      'error',
      'a session has ended and could not be priced',
      { session: session.session_id, err: error },
      context,
    )
    return { session: { ...session, flags: [...session.flags, notPricedFlag] }, effects: [] }
  }
}

/** Each pricing is billed: nothing else stores a cost. */
export function storeCost(cost: SessionCost, context: Context): readonly Effect[] {
  const before = context.read().list(unbilledSessionsTable, [cost.session_id])
  const pricing = (before.at(-1)?.pricing ?? 0) + 1
  return [
    effect.put(sessionCostsTable, cost),
    ...before.map((row) => effect.remove(unbilledSessionsTable, unbilledSessionsTable.key(row))),
    effect.put(unbilledSessionsTable, unbilledSession(cost, context.confirmed(), pricing)),
  ]
}

/** A session of a partner's driver says when it was last another: partners ask for those that have changed since they last asked. */
export function changedNow(session: Session, context: Context): Session {
  const { roaming } = session
  return roaming === undefined ? session : { ...session, roaming: { ...roaming, changed_at: context.now() } }
}

/** What a session keeps of its price. */
export function costOf({ total, subtotal, tax }: PricedSession): Required<Pick<Session, 'cost' | 'subtotal' | 'tax'>> {
  return { cost: total, subtotal, tax }
}

/** A running session's cost as of `asOf` (ms), with all its lines; undefined where it has no tariff, or cannot be priced. */
export function priceSoFar(view: ReadView, session: Session, soFar: SoFar): PricedSession | undefined {
  if (session.tariff_snapshot === undefined) return undefined
  try {
    const snapshot = readSnapshot(view, session.tariff_snapshot)
    return priceSession(factsOfSession(session, soFar), snapshot, activeRules(view, session.organization_id))
  } catch {
    return undefined
  }
}

/** What a session costs that has just begun, of which nothing is stored yet: the fee per session, if there is one. */
export function costAtStart(view: ReadView, session: Session, snapshot: TariffSnapshot): number | undefined {
  try {
    const soFar = { asOf: Date.parse(session.started_at), energyWh: 0 }
    return priceSession(factsOfSession(session, soFar), snapshot, activeRules(view, session.organization_id)).total
  } catch {
    return undefined
  }
}

function readSnapshot(view: ReadView, hash: string) {
  const row = view.get(tariffSnapshotsTable, [hash])
  if (row === undefined) throw new Error(`there is no tariff snapshot ${hash}`)
  return row.snapshot
}

function activeRules(view: ReadView, organizationId: string): readonly BillingRule[] {
  return view.listBy(billingRulesTable, 'byActive', [organizationId, 1])
}

/**
 * The first and the newest, which the explanation shows. Those between are not read: they decide nothing, since an ended session
 * has an energy of its own, and a session may have thousands.
 */
function explainingRows(view: ReadView, sessionId: string): readonly MeterValues[] {
  const first = view.list(meterValuesTable, [sessionId], { limit: limits.explainingMeterValues })
  if (first.length < limits.explainingMeterValues) return first
  const newest = view.list(meterValuesTable, [sessionId], { reverse: true, limit: limits.explainingMeterValues })
  const last = meterValuesTable.key(first.at(-1) as MeterValues).join()
  const overlap = newest.findIndex((row) => meterValuesTable.key(row).join() === last)
  return [...first, ...(overlap === -1 ? newest : newest.slice(0, overlap)).reverse()]
}
