// What past sessions would have cost under other billing rules: each is priced again from what is stored of it, by the function that
// priced it. Reads only. A long period is walked in steps between which other requests go on, up to a bound.

import { Exact } from '../../../pricing/money.js'
import { priceSession } from '../../../pricing/price-session.js'
import type { TariffSnapshot } from '../../../pricing/tariff-terms.js'
import type { BillingRule } from '../../../records/billing-rule.js'
import { factsOfSession } from '../../../records/facts-of-session.js'
import { sessionsTable } from '../../../records/session.js'
import { type SessionCost, sessionCostsTable } from '../../../records/session-cost.js'
import { tariffSnapshotsTable } from '../../../records/tariff-snapshot.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { after, type Key } from '../../../runtime/store/table.js'
import type { LongRead } from '../../pipeline/long-reads.js'
import type { Long } from '../../pipeline/paging.js'
import { limits } from './limits.js'

export interface SimulationOptions {
  readonly organizationId: string
  readonly rules: readonly BillingRule[]
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

/** Costs in the currency, with tax. */
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
  /** Whose own record or tariff snapshot is not there: they are in no total. */
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

export async function simulateRules(
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
  const { chargePointId, siteId, changedOnly, page, perPage } = options
  const price = pricer(view, options.rules)
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
      const session = price(row)
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

/** Undefined for a session that cannot be priced again. Thousands share a snapshot: each is read once. */
function pricer(view: ReadView, rules: readonly BillingRule[]) {
  const snapshots = new Map<string, TariffSnapshot | undefined>()
  function snapshotOf(hash: string): TariffSnapshot | undefined {
    if (!snapshots.has(hash)) snapshots.set(hash, view.get(tariffSnapshotsTable, [hash])?.snapshot)
    return snapshots.get(hash)
  }
  return (row: SessionCost): SimulatedSession | undefined => {
    const session = view.get(sessionsTable, [row.session_id])
    const snapshot = snapshotOf(row.tariff_snapshot)
    if (session === undefined || snapshot === undefined) return undefined
    // Its energy is part of the session, so its meter values need not be read.
    const priced = priceSession(factsOfSession(session), snapshot, rules)
    return {
      session_id: row.session_id,
      charge_point_id: row.charge_point_id,
      ended_at: row.ended_at,
      currency: priced.currency,
      cost: row.priced.total,
      simulated_cost: priced.total,
      difference: new Exact(priced.total).minus(row.priced.total).toNumber(),
      matched_rules: priced.trace.rules.filter(({ matched }) => matched).map(({ rule_id }) => rule_id),
    }
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
