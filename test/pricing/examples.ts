// A session, a tariff and a rule to start from: a test names only what it is about.

import { minorUnitsOf } from '../../src/pricing/money.js'
import type { SessionFacts } from '../../src/pricing/session-facts.js'
import type { SnapshotComponent, TariffSnapshot } from '../../src/pricing/tariff-terms.js'
import type { BillingRule } from '../../src/records/billing-rule.js'
import type { Tariff } from '../../src/records/tariff.js'

export const minute = 60_000
/** A Monday, 09:30 in UTC. */
export const start = Date.parse('2026-06-01T09:30:00Z')

/** `chargingMinutes` of charging, then `idleMinutes` plugged in. */
export function session(
  energyKwh: number,
  chargingMinutes = 60,
  idleMinutes = 0,
  more: Partial<SessionFacts> = {},
): SessionFacts {
  const charged = start + chargingMinutes * minute
  const end = charged + idleMinutes * minute
  return {
    sessionId: 'ses_1',
    startedAt: start,
    endedAt: end,
    energyWh: energyKwh * 1000,
    samples: [],
    spans: [
      { state: 'charging', from: start, to: charged },
      { state: 'idle', from: charged, to: end },
    ],
    idTag: 'TAG-1',
    connectorId: 1,
    chargePointId: 'CP-1',
    ...more,
  }
}

export function component(
  type: SnapshotComponent['type'],
  price: number,
  step_size = 1,
  grace_minutes = 0,
): SnapshotComponent {
  return { type, price, step_size, grace_minutes }
}

export function snapshot(
  components: readonly SnapshotComponent[],
  tax_percentage = 0,
  currency = 'EUR',
): TariffSnapshot {
  return {
    tariff_id: 'trf_1',
    name: 'Public',
    currency,
    minor_units: minorUnitsOf(currency),
    tax_percentage,
    band: null,
    components,
    time_zone: 'UTC',
  }
}

export function tariff(more: Partial<Tariff> = {}): Tariff {
  return {
    tariff_id: 'trf_1',
    organization_id: 'org_1',
    version: 1,
    name: 'Public',
    currency: 'EUR',
    components: [],
    tax_percentage: 0,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    ...more,
  }
}

export function rule(more: Partial<BillingRule> = {}): BillingRule {
  return {
    rule_id: 'rul_1',
    organization_id: 'org_1',
    version: 1,
    name: 'A rule',
    priority: 1,
    conditions: [],
    actions: [],
    active: true,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    ...more,
  }
}
