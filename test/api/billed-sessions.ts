// Sessions that have ended and been priced, put into the store as a charge point's actor leaves them.

import { putRow } from '../../src/api/pipeline/changes.js'
import { priceSession } from '../../src/pricing/price-session.js'
import { canonicalJson } from '../../src/pricing/tariff-snapshot.js'
import type { TariffSnapshot } from '../../src/pricing/tariff-terms.js'
import { type Session, sessionsTable } from '../../src/records/session.js'
import {
  type SessionCost,
  sessionCostsTable,
  unbilledSession,
  unbilledSessionsTable,
} from '../../src/records/session-cost.js'
import { tariffSnapshotsTable } from '../../src/records/tariff-snapshot.js'
import { makeId } from '../../src/runtime/ids.js'
import type { Change } from '../../src/runtime/store/store.js'
import { component, snapshot } from '../pricing/examples.js'

export interface Charge {
  readonly organizationId: string
  /** ISO 8601. */
  readonly endedAt: string
  readonly minutes?: number
  readonly energyWh?: number
  readonly chargePointId?: string
  readonly siteId?: string
  readonly idTag?: string
  readonly tariff?: TariffSnapshot
  readonly pricedAt?: string
  readonly sessionId?: string
  readonly status?: Session['status']
}

export const tariff: TariffSnapshot = snapshot([component('energy', 0.49), component('flat', 0.35)], 19)

let nextTransaction = 1

/** A session without an end: it runs. */
export function runningSession({ organizationId, endedAt, ...charge }: Charge): Session {
  const end = Date.parse(endedAt)
  const startedAt = end - (charge.minutes ?? 60) * 60_000
  const transaction = nextTransaction++
  return {
    session_id: charge.sessionId ?? makeId('ses', startedAt, Math.random),
    transaction_id: transaction,
    organization_id: organizationId,
    charge_point_id: charge.chargePointId ?? 'CP-1',
    connector_id: 1,
    id_tag: charge.idTag ?? 'TAG-1',
    authorization: 'Accepted',
    status: 'active',
    started_at: new Date(startedAt).toISOString(),
    received_at: new Date(startedAt).toISOString(),
    meter_start: 0,
    ...(charge.siteId !== undefined && { site_id: charge.siteId }),
    tariff_id: (charge.tariff ?? tariff).tariff_id,
    tariff_snapshot: canonicalJson(charge.tariff ?? tariff),
    currency: (charge.tariff ?? tariff).currency,
    flags: [],
    start_key: String(transaction),
  }
}

export function billedSession(charge: Charge): { session: Session; cost: SessionCost; changes: Change[] } {
  const running = runningSession(charge)
  const used = charge.tariff ?? tariff
  const energyWh = charge.energyWh ?? 10_000
  const ended = new Date(charge.endedAt).toISOString()
  const priced = priceSession(
    {
      sessionId: running.session_id,
      startedAt: Date.parse(running.started_at),
      endedAt: Date.parse(ended),
      energyWh,
      samples: [],
      spans: [],
      idTag: running.id_tag,
      connectorId: 1,
      chargePointId: running.charge_point_id,
    },
    used,
    [],
  )
  const session: Session = {
    ...running,
    status: charge.status ?? 'completed',
    ended_at: ended,
    meter_stop: energyWh,
    energy_wh: energyWh,
    cost: priced.total,
  }
  const cost: SessionCost = {
    session_id: session.session_id,
    organization_id: session.organization_id,
    charge_point_id: session.charge_point_id,
    ...(session.site_id !== undefined && { site_id: session.site_id }),
    ended_at: ended,
    tariff_snapshot: canonicalJson(used),
    priced,
    rules: [],
    priced_at: charge.pricedAt ?? ended,
  }
  const unbilled = unbilledSession(cost, Date.parse(cost.priced_at))
  const changes = [
    putRow(sessionsTable, session),
    putRow(sessionCostsTable, cost),
    putRow(unbilledSessionsTable, unbilled),
  ]
  return { session, cost, changes }
}

export function snapshotChange(used: TariffSnapshot = tariff): Change {
  return putRow(tariffSnapshotsTable, { hash: canonicalJson(used), snapshot: used })
}
