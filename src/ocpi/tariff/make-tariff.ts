// A tariff as partners see it (OCPI 2.2.1, 11.3.1), or why they cannot: the price that they compute from it and from a CDR (11.4.2) has to be
// the price that is charged. The tariff of one session is that of its start, the rate band that held then and no other.

import { minorUnitsOf } from '../../pricing/money.js'
import { withDefaults } from '../../pricing/tariff-snapshot.js'
import type { RateBand, SnapshotComponent, TariffSnapshot } from '../../pricing/tariff-terms.js'
import type { BillingRule } from '../../records/billing-rule.js'
import type { OcpiPartyId } from '../../records/ocpi-party.js'
import type { Tariff } from '../../records/tariff.js'
import type { TariffRates, TariffSchedule } from '../../records/tariff-rates.js'
import { writeDateTime } from '../date-time.js'
import type { Tariff as OcpiTariff, PriceComponent, TariffElement, TariffRestrictions } from '../schemas/tariff.js'
import { componentsReason, isSayable, priceComponents, withFree } from './components.js'
import { boundsOf, type PriceBounds, rulesReason } from './price-bounds.js'
import { windowsOf } from './windows.js'

export interface TariffFacts {
  readonly party: OcpiPartyId
  readonly tariff: Tariff
  readonly rates?: TariffRates | undefined
  readonly schedule?: TariffSchedule | undefined
  /** The active ones of the organization. */
  readonly rules: readonly BillingRule[]
  /** Of the organization: that of the schedule. */
  readonly timeZone: string
}

export type MadeTariff =
  | {
      readonly ok: true
      readonly tariff: OcpiTariff
      /** Where prices change by the time: the only zone in which a location can have it. */
      readonly timeZone?: string
    }
  | { readonly ok: false; readonly reason: string }

/** Our prices are those of the start, those of OCPI of the moment: a session that a window opens or closes on is told by its CDR. */
const pricesOfStart = 'The price at the start of the session applies to the whole session.'

const ofTariff = 'of the tariff'

interface PricedWindow {
  /** Whose prices they are, in words. */
  readonly place: string
  readonly restrictions: TariffRestrictions
  readonly components: readonly SnapshotComponent[]
}

function isUnrestricted({ restrictions }: PricedWindow): boolean {
  return Object.keys(restrictions).length === 0
}

/** In the order in which they are looked at; the last one always holds. */
function pricedWindows({ tariff, rates, schedule }: TariffFacts): readonly PricedWindow[] {
  const bands: readonly RateBand[] = rates?.bands ?? []
  const scheduled = (schedule?.entries ?? []).flatMap((entry): PricedWindow[] => {
    const components = bands.find(({ band }) => band === entry.band)?.components.map(withDefaults)
    if (components === undefined) return []
    const place = `of the rate band "${entry.band}"`
    return windowsOf(entry).map((restrictions) => ({ place, restrictions, components }))
  })
  const own = { place: ofTariff, restrictions: {}, components: tariff.components.map(withDefaults) }
  const all = [...scheduled, own]
  return all.slice(0, all.findIndex(isUnrestricted) + 1)
}

function elementsOf(windows: readonly PricedWindow[], vat: number): TariffElement[] {
  const prices = windows.map(({ components }) => priceComponents(components, vat))
  const dimensions = [...new Set(prices.flat().map(({ type }) => type))]
  return windows.map((window, index) => {
    const price_components = atLeastFree(withFree(prices[index] ?? [], dimensions, vat), vat)
    return isUnrestricted(window) ? { price_components } : { price_components, restrictions: window.restrictions }
  })
}

/** An element has a component, and a tariff without prices is one that costs nothing. */
function atLeastFree(prices: PriceComponent[], vat: number): PriceComponent[] {
  return prices.length > 0 ? prices : [{ type: 'FLAT', price: 0, vat, step_size: 1 }]
}

function taxReason(taxPercentage: number): string | undefined {
  if (isSayable(taxPercentage)) return undefined
  return `The tax of the tariff (${taxPercentage} percent) has more than the four decimals of OCPI.`
}

function windowsReason(windows: readonly PricedWindow[]): string | undefined {
  return windows
    .map(({ components, place }) => componentsReason(components, place))
    .find((reason) => reason !== undefined)
}

function newest(times: readonly (string | undefined)[]): string {
  const instants = times.map((time) => (time === undefined ? Number.NEGATIVE_INFINITY : Date.parse(time)))
  return writeDateTime(Math.max(...instants))
}

export function makeTariff(facts: TariffFacts): MadeTariff {
  const { party, tariff, rates, schedule, rules, timeZone } = facts
  const { tariff_id, currency, tax_percentage } = tariff
  const windows = pricedWindows(facts)
  const reason = taxReason(tax_percentage) ?? windowsReason(windows) ?? rulesReason(rules)
  if (reason !== undefined) return { ok: false, reason }
  const isScheduled = windows.length > 1
  const made: OcpiTariff = {
    country_code: party.country_code,
    party_id: party.party_id,
    id: tariff_id,
    currency,
    ...(isScheduled && { tariff_alt_text: [{ language: 'en', text: pricesOfStart }] }),
    ...boundsOf(rules, tax_percentage, minorUnitsOf(currency)),
    elements: elementsOf(windows, tax_percentage),
    last_updated: newest([tariff, rates, schedule, ...rules].map((row) => row?.updated_at)),
  }
  return { ok: true, tariff: made, ...(isScheduled && { timeZone }) }
}

/** `startedAt` in ms, of the session that keeps the snapshot; `bounds` are what its price is kept within. */
export function makeSessionTariff(
  party: OcpiPartyId,
  snapshot: TariffSnapshot,
  bounds: PriceBounds,
  startedAt: number,
): MadeTariff {
  const { tariff_id, currency, tax_percentage, components } = snapshot
  const reason = taxReason(tax_percentage) ?? componentsReason(components, ofTariff)
  if (reason !== undefined) return { ok: false, reason }
  const made: OcpiTariff = {
    country_code: party.country_code,
    party_id: party.party_id,
    id: tariff_id,
    currency,
    ...bounds,
    elements: elementsOf([{ place: ofTariff, restrictions: {}, components }], tax_percentage),
    last_updated: writeDateTime(startedAt),
  }
  return { ok: true, tariff: made }
}
