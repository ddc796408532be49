// Makes the snapshot that a session keeps of its tariff, and the hash under which it is stored.

import { createHash } from 'node:crypto'
import { minorUnitsOf } from './money.js'
import type { SelectedRates } from './select-rates.js'
import type { PriceComponent, SnapshotComponent, TariffSnapshot, TariffTerms } from './tariff-terms.js'

/** What null stands for in a stored component. */
const componentDefaults = { price: 0, step_size: 1, grace_minutes: 0 } as const

export function withDefaults(component: PriceComponent): SnapshotComponent {
  return {
    type: component.type,
    price: component.price ?? componentDefaults.price,
    step_size: component.step_size ?? componentDefaults.step_size,
    grace_minutes: component.grace_minutes ?? componentDefaults.grace_minutes,
  }
}

/** The same for every session of one tariff, band and zone: thousands of sessions share one stored snapshot. */
export function snapshotOf(tariff: TariffTerms, rates: SelectedRates, timeZone: string): TariffSnapshot {
  return {
    tariff_id: tariff.tariff_id,
    name: tariff.name,
    currency: tariff.currency,
    minor_units: minorUnitsOf(tariff.currency),
    tax_percentage: tariff.tax_percentage,
    band: rates.band,
    components: rates.components.map(withDefaults),
    time_zone: timeZone,
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)]),
  )
}

/** JSON with the fields of every object in order of their names: equal content, equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value))
}

/** SHA-256 of the canonical JSON, hex. The order of components counts, that of fields does not. */
export function hashOf(snapshot: TariffSnapshot): string {
  return createHash('sha256').update(canonicalJson(snapshot)).digest('hex')
}
