// A receipt and an invoice to start from, as their records keep them.

import { priceSession } from '../../../src/pricing/price-session.js'
import type { SessionFacts } from '../../../src/pricing/session-facts.js'
import type { TariffSnapshot } from '../../../src/pricing/tariff-terms.js'
import type { BillingRule } from '../../../src/records/billing-rule.js'
import type { Invoice } from '../../../src/records/invoice.js'
import type { Receipt, ReceiptDocument } from '../../../src/records/receipt.js'
import { component, rule, session, snapshot } from '../../pricing/examples.js'

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

export function invoice(more: Partial<Invoice> = {}): Invoice {
  const line = { type: 'sessions', tariff_id: 'trf_1', tax_percentage: 19, adjustments: 0 } as const
  return {
    invoice_id: 'bil_1_2026-10_EUR',
    organization_id: 'org_1',
    number: 'INV-000012',
    month: '2026-10',
    period_from: '2026-09-30T22:00:00.000Z',
    period_to: '2026-10-31T23:00:00.000Z',
    time_zone: 'Europe/Berlin',
    currency: 'EUR',
    minor_units: 2,
    issued_at: '2026-11-01T00:00:12.000Z',
    issuer: receiptDocument().seller,
    recipient: { name: 'Bäckerei Groß & Söhne', country: 'DE', contact_email: 'buchhaltung@example.com' },
    count: 1_533,
    lines: [
      {
        ...line,
        tariff_name: 'Public AC 22 kW',
        count: 1_204,
        energy_wh: 24_310_500,
        subtotal: 12_158.4,
        tax: 2_310.1,
        total: 14_468.5,
      },
      {
        ...line,
        tariff_id: 'trf_2',
        tariff_name: 'Depot at night, with a name so long that it does not fit on one line',
        count: 326,
        energy_wh: 5_120_000,
        subtotal: 1_536,
        adjustments: -76.8,
        tax: 277.25,
        total: 1_736.45,
      },
      {
        ...line,
        type: 'late_sessions',
        tariff_name: 'Public AC 22 kW',
        count: 1,
        energy_wh: 9_999,
        subtotal: 5.25,
        tax: 1,
        total: 6.25,
      },
      {
        ...line,
        type: 'corrections',
        tariff_name: 'Public AC 22 kW',
        count: 2,
        energy_wh: -12_400,
        subtotal: -5.77,
        tax: -1.1,
        total: -6.87,
      },
    ],
    energy_wh: 29_428_099,
    subtotal: 13_693.88,
    adjustments: -76.8,
    tax: 2_587.25,
    total: 16_204.33,
    ...more,
  }
}
