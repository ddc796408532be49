// The worked examples of OCPI 2.2.1 (11.4), recomputed with exact fractions: tariffs, sessions, and what they cost. V8, V9 and V13 are not
// what the standard prints: it rounds the first two, and multiplies the last by another price.

import type { Priceable } from '../../src/emsp/slices.js'
import type { PriceComponent, Tariff, TariffElement, TariffRestrictions } from '../../src/ocpi/schemas/tariff.js'

const minute = 60_000
/** A Monday and a Saturday. */
export const monday = Date.parse('2026-06-01T09:30:00Z')
const saturday = Date.parse('2026-06-06T13:30:00Z')

export function ocpiTariff(elements: TariffElement[], more: Partial<Tariff> = {}): Tariff {
  return {
    country_code: 'NL',
    party_id: 'EXA',
    id: 'trf_1',
    currency: 'EUR',
    elements,
    last_updated: '2026-01-01T00:00:00Z',
    ...more,
  }
}

export function price(
  type: PriceComponent['type'],
  amount: number,
  vat: number,
  step_size = 1,
  restrictions?: TariffRestrictions,
): TariffElement {
  const price_components = [{ type, price: amount, vat, step_size }]
  return restrictions === undefined ? { price_components } : { price_components, restrictions }
}

interface Charge {
  readonly kwh?: number
  readonly charging?: number
  readonly parked?: number
  readonly amperes?: number
  readonly at?: number
}

const dateTime = (at: number): string => new Date(at).toISOString()

/** Minutes of charging, then of parking. */
export function charge(tariff: Tariff, { kwh, charging = 60, parked = 0, amperes, at = monday }: Charge): Priceable {
  const parkedAt = at + charging * minute
  const current = amperes === undefined ? [] : (['MIN_CURRENT', 'MAX_CURRENT'] as const)
  const charged = {
    start_date_time: dateTime(at),
    dimensions: [
      { type: 'TIME' as const, volume: Math.floor((charging / 60) * 1e4) / 1e4 },
      ...(kwh === undefined ? [] : [{ type: 'ENERGY' as const, volume: kwh }]),
      ...current.map((type) => ({ type, volume: amperes as number })),
    ],
  }
  const parking = {
    start_date_time: dateTime(parkedAt),
    dimensions: [{ type: 'PARKING_TIME' as const, volume: Math.floor((parked / 60) * 1e4) / 1e4 }],
  }
  return {
    start_date_time: dateTime(at),
    end_date_time: dateTime(parkedAt + parked * minute),
    charging_periods: parked > 0 ? [charged, parking] : [charged],
    tariffs: [tariff],
  }
}

const energy = price('ENERGY', 0.25, 10)
const fee = price('FLAT', 0.5, 20)
const v1 = ocpiTariff([energy])
const v3 = ocpiTariff([energy], { min_price: { excl_vat: 0.5, incl_vat: 0.55 } })
const v5 = ocpiTariff([fee, energy], { max_price: { excl_vat: 10, incl_vat: 11 } })
const workdays: TariffRestrictions['day_of_week'] = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY']
const complex = ocpiTariff([
  price('FLAT', 2.5, 15),
  price('TIME', 1, 20, 900, { max_current: 32 }),
  price('TIME', 2, 20, 600, { min_current: 32, day_of_week: workdays }),
  price('TIME', 1.25, 20, 600, { min_current: 32, day_of_week: ['SATURDAY', 'SUNDAY'] }),
  price('PARKING_TIME', 5, 10, 300, { start_time: '09:00', end_time: '18:00', day_of_week: workdays }),
  price('PARKING_TIME', 6, 10, 300, { start_time: '10:00', end_time: '17:00', day_of_week: ['SATURDAY'] }),
])

export interface Vector {
  readonly name: string
  readonly cdr: Priceable
  readonly excl_vat: number
  readonly incl_vat: number
}

export const vectors: readonly Vector[] = [
  { name: 'V1 - energy', cdr: charge(v1, { kwh: 20 }), excl_vat: 5, incl_vat: 5.5 },
  { name: 'V2 - a fee', cdr: charge(ocpiTariff([fee, energy]), { kwh: 20 }), excl_vat: 5.5, incl_vat: 6.1 },
  { name: 'V3 - above the minimum price', cdr: charge(v3, { kwh: 20 }), excl_vat: 5, incl_vat: 5.5 },
  { name: 'V3 - the minimum price', cdr: charge(v3, { kwh: 1.2 }), excl_vat: 0.5, incl_vat: 0.55 },
  {
    name: 'V4 - 40 minutes parked are billed as 45',
    cdr: charge(ocpiTariff([fee, energy, price('PARKING_TIME', 2, 20, 900)]), { kwh: 20, parked: 40 }),
    excl_vat: 7,
    incl_vat: 7.9,
  },
  { name: 'V5 - the maximum price', cdr: charge(v5, { kwh: 50 }), excl_vat: 10, incl_vat: 11 },
  { name: 'V5 - below the maximum price', cdr: charge(v5, { kwh: 30 }), excl_vat: 8, incl_vat: 8.85 },
  {
    name: 'V6 - time',
    cdr: charge(ocpiTariff([price('TIME', 2, 10, 60)]), { charging: 150 }),
    excl_vat: 5,
    incl_vat: 5.5,
  },
  {
    name: 'V7 - time and parking',
    cdr: charge(ocpiTariff([price('TIME', 3, 10, 60), price('PARKING_TIME', 5, 20, 300)]), {
      charging: 150,
      parked: 42,
    }),
    excl_vat: 11.25,
    incl_vat: 12.75,
  },
  {
    name: 'V8 - VAT with decimals',
    cdr: charge(ocpiTariff([price('TIME', 1.9, 5.2, 300)]), { charging: 150 }),
    excl_vat: 4.75,
    incl_vat: 4.997,
  },
  {
    name: 'V9 - 20.45 kWh in steps of 100 Wh',
    cdr: charge(ocpiTariff([fee, price('ENERGY', 0.25, 10, 100)]), { kwh: 20.45 }),
    excl_vat: 5.625,
    incl_vat: 6.2375,
  },
  {
    name: 'V11 - a workday at 16 A',
    cdr: charge(complex, { charging: 165, parked: 42, amperes: 16 }),
    excl_vat: 9,
    incl_vat: 10.3,
  },
  {
    name: 'V13 - a Saturday at 43 A',
    cdr: charge(complex, { charging: 114, parked: 71, amperes: 43, at: saturday }),
    excl_vat: 12.375,
    incl_vat: 13.975,
  },
]
