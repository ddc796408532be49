// What past sessions would have cost under other terms: each is priced again from what is stored of it, by the function that priced it.
// Reads only. A long period is walked in steps between which other requests go on, up to a bound.

import { totalBeforeAgreement } from '../../../pricing/agreed-total.js'
import { Exact } from '../../../pricing/money.js'
import { priceSession } from '../../../pricing/price-session.js'
import type { TariffSnapshot } from '../../../pricing/tariff-terms.js'
import type { BillingRule } from '../../../records/billing-rule.js'
import { factsOfSession } from '../../../records/facts-of-session.js'
import { type Session, sessionsTable } from '../../../records/session.js'
import { type SessionCost, sessionCostsTable } from '../../../records/session-cost.js'
import { tariffSnapshotsTable } from '../../../records/tariff-snapshot.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { after, type Key } from '../../../runtime/store/table.js'
import type { LongRead } from '../../pipeline/long-reads.js'
import type { Long } from '../../pipeline/paging.js'
import { limits } from './limits.js'

/** What a session is priced by. */
export interface Terms {
  readonly snapshot: TariffSnapshot
  readonly rules: readonly BillingRule[]
}

/** The other terms of a session; undefined for one that cannot be priced by them. */
export type TermsOf = (session: Session, cost: SessionCost) => Terms | undefined

export interface SimulationOptions {
  readonly organizationId: string
  readonly termsOf: TermsOf
  /** Only sessions that began with this tariff. */
  readonly ofTariffId?: string | undefined
  /** End of session, ms: from inclusive, to exclusive. */
  readonly from: number
  readonly to: number
  /** Where an earlier simulation was cut. */
  readonly after: Place | undefined
  readonly chargePointId: string | undefined
  readonly siteId: string | undefined
  readonly changedOnly: boolean
  readonly page: number
  readonly perPage: number
}

/** A session in the order of the walk. */
export interface Place {
  readonly endedAt: number
  readonly sessionId: string
}

/** Costs in the currency, with tax; what was agreed in a dispute is in none of them, as no terms make it. */
export interface SimulatedSession {
  readonly session_id: string
  readonly charge_point_id: string
  readonly ended_at: string
  readonly currency: string
  readonly cost: number
  readonly simulated_cost: number
  readonly difference: number
  /** Those of the simulated rules that matched, in the order in which they ran. */
  readonly matched_rules: string[]
}

export interface SimulatedTotal {
  readonly currency: string
  readonly sessions: number
  readonly changed_sessions: number
  readonly cost: number
  readonly simulated_cost: number
  readonly difference: number
}

export interface Simulation {
  /** The page. */
  readonly sessions: SimulatedSession[]
  /** How many sessions the pages hold together. */
  readonly listed: number
  /** By currency. */
  readonly totals: SimulatedTotal[]
  readonly covered: number
  /** Which cannot be priced again by these terms: they are in no total. */
  readonly skipped: number
  /** Where it was cut; undefined when the whole period was read. */
  readonly cutAt: Place | undefined
}

interface Sum {
  sessions: number
  changed: number
  cost: Exact
  simulated: Exact
}

export async function simulateSessions(
  { view, begin }: { readonly view: ReadView } & Long,
  options: SimulationOptions,
): Promise<Simulation> {
  const read = await begin()
  try {
    return await simulateWithin(read, view, options)
  } finally {
    read.end()
  }
}

async function simulateWithin(reading: LongRead, view: ReadView, options: SimulationOptions): Promise<Simulation> {
  const { chargePointId, siteId, ofTariffId, changedOnly, page, perPage } = options
  const sums = new Map<string, Sum>()
  const sessions: SimulatedSession[] = []
  const first = (page - 1) * perPage
  let [listed, covered, skipped, read] = [0, 0, 0, 0]
  let place = options.after
  for (;;) {
    const rows = nextRows(
      view,
      options,
      place,
      Math.min(limits.simulatedSessionsPerStep, limits.simulatedSessions - read),
    )
    for (const row of rows) {
      // A row may be priced by many rules.
      if (reading.isOver()) await reading.pause()
      place = { endedAt: Date.parse(row.ended_at), sessionId: row.session_id }
      if (chargePointId !== undefined && row.charge_point_id !== chargePointId) continue
      if (siteId !== undefined && row.site_id !== siteId) continue
      const stored = view.get(sessionsTable, [row.session_id])
      if (ofTariffId !== undefined && stored?.tariff_id !== ofTariffId) continue
      const session = stored && simulated(stored, row, options.termsOf(stored, row))
      if (session === undefined) {
        skipped++
        continue
      }
      covered++
      add(sums, session)
      if (changedOnly && session.difference === 0) continue
      if (listed >= first && sessions.length < perPage) sessions.push(session)
      listed++
    }
    read += rows.length
    const over = rows.length === 0
    const cut = !over && read >= limits.simulatedSessions && nextRows(view, options, place, 1).length > 0
    if (over || read >= limits.simulatedSessions)
      return { sessions, listed, totals: totalsOf(sums), covered, skipped, cutAt: cut ? place : undefined }
    if (reading.isOver()) await reading.pause()
  }
}

/** Rows after `place`; one that has been corrected meanwhile, and stands elsewhere now, shifts none. */
function nextRows(view: ReadView, options: SimulationOptions, place: Place | undefined, limit: number): SessionCost[] {
  // The least key that is greater than the place's own.
  const from: Key = place === undefined ? [options.from] : after([place.endedAt, place.sessionId])
  return view.listBy(sessionCostsTable, 'byEnd', [options.organizationId], { from, to: [options.to], limit })
}

function simulated(session: Session, row: SessionCost, terms: Terms | undefined): SimulatedSession | undefined {
  if (terms === undefined) return undefined
  // Its energy is part of the session, so its meter values need not be read.
  const priced = priceSession(factsOfSession(session), terms.snapshot, terms.rules)
  const cost = totalBeforeAgreement(row.priced)
  return {
    session_id: row.session_id,
    charge_point_id: row.charge_point_id,
    ended_at: row.ended_at,
    currency: priced.currency,
    cost,
    simulated_cost: priced.total,
    difference: new Exact(priced.total).minus(cost).toNumber(),
    matched_rules: priced.trace.rules.filter(({ matched }) => matched).map(({ rule_id }) => rule_id),
  }
}

/** Other rules in the place of those that applied, and the tariff of the start. Thousands of sessions share a snapshot: each is read once. */
export function withRules(view: ReadView, rules: readonly BillingRule[]): TermsOf {
  const snapshots = new Map<string, TariffSnapshot | undefined>()
  return (_, { tariff_snapshot: hash }) => {
    if (!snapshots.has(hash)) snapshots.set(hash, view.get(tariffSnapshotsTable, [hash])?.snapshot)
    const snapshot = snapshots.get(hash)
    return snapshot && { snapshot, rules }
  }
}

function add(sums: Map<string, Sum>, session: SimulatedSession): void {
  const sum = sums.get(session.currency) ?? { sessions: 0, changed: 0, cost: new Exact(0), simulated: new Exact(0) }
  sums.set(session.currency, {
    sessions: sum.sessions + 1,
    changed: sum.changed + (session.difference === 0 ? 0 : 1),
    cost: sum.cost.plus(session.cost),
    simulated: sum.simulated.plus(session.simulated_cost),
  })
}

function totalsOf(sums: ReadonlyMap<string, Sum>): SimulatedTotal[] {
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, { sessions, changed, cost, simulated }]) => ({
      currency,
      sessions,
      changed_sessions: changed,
      cost: cost.toNumber(),
      simulated_cost: simulated.toNumber(),
      difference: simulated.minus(cost).toNumber(),
    }))
}
