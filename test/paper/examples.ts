// A receipt to start from: a session that was priced, as its record keeps it.

import { priceSession } from '../../src/actors/pricing/price-session.js'
import type { SessionFacts } from '../../src/actors/pricing/session-facts.js'
import type { BillingRule } from '../../src/actors/records/billing-rule.js'
import type { Receipt, ReceiptDocument } from '../../src/actors/records/receipt.js'
import type { TariffSnapshot } from '../../src/actors/records/tariff-snapshot.js'
import { component, rule, session, snapshot } from '../actors/pricing/examples.js'

export interface Priced {
  readonly facts?: SessionFacts
  readonly tariff?: TariffSnapshot
  readonly rules?: readonly BillingRule[]
}

const components = [component('energy', 0.49), component('idle', 6, 60, 10), component('flat', 0.5)]
const rules = [rule({ name: 'Night owl discount', actions: [{ type: 'discount_percent', value: 10 }] })]

export function receiptDocument(
  { facts = session(31.284, 95, 25), tariff = snapshot(components, 19), rules: applied = rules }: Priced = {},
  more: Partial<ReceiptDocument> = {},
): ReceiptDocument {
  const { trace, ...cost } = priceSession(facts, tariff, applied)
  return {
    seller: { name: 'Stadtwerke Müritz Ladenetz GmbH', country: 'DE', contact_email: 'laden@example.com' },
    place: {
      charge_point_id: 'CP-0042',
      connector_id: 2,
      name: 'Marktplatz, säule 3',
      address: 'Lange Straße 12, 17192 Waren (Müritz)',
    },
    session: {
      session_id: 'ses_01KAGW3Q3M8V7S5D6C4R2T1X0Z',
      transaction_id: 18_231_233,
      id_tag: '04A1B2C3D4E5F6',
      started_at: new Date(facts.startedAt).toISOString(),
      ended_at: new Date(facts.endedAt ?? facts.startedAt).toISOString(),
      time_zone: 'Europe/Berlin',
      energy_wh: trace.energy.measured_wh,
      estimated: false,
    },
    tariff: { name: 'Public AC 22 kW', band: null },
    cost,
    minor_units: trace.rounding.minor_units,
    ...more,
  }
}

export function receipt(document: ReceiptDocument = receiptDocument(), more: Partial<Receipt> = {}): Receipt {
  return {
    session_id: document.session.session_id,
    organization_id: 'org_1',
    version: 1,
    number: 'R-000123',
    revision: 1,
    issued_at: '2026-06-02T08:00:00.000Z',
    revised_at: '2026-06-02T08:00:00.000Z',
    document,
    ...more,
  }
}
