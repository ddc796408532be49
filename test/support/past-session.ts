// What ended sessions leave in the store, for tests that look at the past: the session, what it cost, its tariff snapshot.

import { putRow } from '../../src/api/pipeline/changes.js'
import { minorUnitsOf } from '../../src/pricing/money.js'
import { priceSession } from '../../src/pricing/price-session.js'
import { hashOf } from '../../src/pricing/tariff-snapshot.js'
import type { TariffSnapshot } from '../../src/pricing/tariff-terms.js'
import type { BillingRule } from '../../src/records/billing-rule.js'
import { factsOfSession } from '../../src/records/facts-of-session.js'
import { type Session, sessionsTable } from '../../src/records/session.js'
import { type SessionCost, sessionCostsTable } from '../../src/records/session-cost.js'
import { tariffSnapshotsTable } from '../../src/records/tariff-snapshot.js'
import type { Change } from '../../src/runtime/store/store.js'

const hourMs = 3_600_000

/** 0.50 a kWh and 20 percent of tax: 10 kWh are 6.00. */
function snapshotIn(currency: string): TariffSnapshot {
  return {
    tariff_id: 'trf_1',
    name: 'Public',
    currency,
    minor_units: minorUnitsOf(currency),
    tax_percentage: 20,
    band: null,
    components: [{ type: 'energy', price: 0.5, step_size: 1, grace_minutes: 0 }],
    time_zone: 'Europe/Amsterdam',
  }
}

export interface PastSession {
  readonly endedAt: number
  readonly kwh?: number
  readonly chargePointId?: string
  readonly siteId?: string
  readonly currency?: string
  readonly rules?: readonly BillingRule[]
}

/** A session of one hour. Ids sort as `newId` makes them. */
export function pastSession(
  newId: (prefix: string) => string,
  organizationId: string,
  past: PastSession,
): [session: Change, cost: Change, snapshot: Change] {
  const snapshot = snapshotIn(past.currency ?? 'EUR')
  const hash = hashOf(snapshot)
  const ended_at = new Date(past.endedAt).toISOString()
  const session: Session = {
    session_id: newId('ses'),
    transaction_id: 1,
    organization_id: organizationId,
    charge_point_id: past.chargePointId ?? 'CP-1',
    ...(past.siteId === undefined ? {} : { site_id: past.siteId }),
    connector_id: 1,
    id_tag: 'TAG-1',
    authorization: 'Accepted',
    status: 'completed',
    started_at: new Date(past.endedAt - hourMs).toISOString(),
    ended_at,
    received_at: ended_at,
    meter_start: 0,
    meter_stop: (past.kwh ?? 10) * 1_000,
    energy_wh: (past.kwh ?? 10) * 1_000,
    stop_reason: 'Local',
    tariff_snapshot: hash,
    flags: [],
    start_key: newId('key'),
  }
  const rules = past.rules ?? []
  const cost: SessionCost = {
    session_id: session.session_id,
    organization_id: session.organization_id,
    charge_point_id: session.charge_point_id,
    ...(past.siteId === undefined ? {} : { site_id: past.siteId }),
    ended_at,
    tariff_snapshot: hash,
    priced: priceSession(factsOfSession(session), snapshot, rules),
    rules,
    priced_at: ended_at,
  }
  return [
    putRow(sessionsTable, session),
    putRow(sessionCostsTable, cost),
    putRow(tariffSnapshotsTable, { hash, snapshot }),
  ]
}
