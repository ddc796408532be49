// A tariff as partners see it (OCPI 2.2.1, 11.3.1), or why they cannot: the price that they compute from it and from a CDR (11.4.2) has to be
// the price that is charged. A session has the prices of its start: so a tariff has the prices of the rate band that holds now, and no others.

import { minorUnitsOf } from '../../pricing/money.js'
import { type SelectedRates, selectRates } from '../../pricing/select-rates.js'
import { withDefaults } from '../../pricing/tariff-snapshot.js'
import {
  daysOfWeek,
  type ScheduleEntry,
  type SnapshotComponent,
  type TariffSnapshot,
} from '../../pricing/tariff-terms.js'
import type { BillingRule } from '../../records/billing-rule.js'
import type { OcpiPartyId } from '../../records/ocpi-party.js'
import type { Tariff } from '../../records/tariff.js'
import type { TariffRates, TariffSchedule } from '../../records/tariff-rates.js'
import { writeDateTime } from '../date-time.js'
import type { Tariff as OcpiTariff, PriceComponent, TariffElement } from '../schemas/tariff.js'
import { componentsReason, isSayable, priceComponents } from './components.js'
import { lastSwitch } from './last-switch.js'
import { boundsOf, type PriceBounds, rulesReason } from './price-bounds.js'

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
  | { readonly ok: true; readonly tariff: OcpiTariff }
  | { readonly ok: false; readonly reason: string }

const ofTariff = 'of the tariff'

interface PricedBand {
  /** Whose prices they are, in words. */
  readonly place: string
  readonly components: readonly SnapshotComponent[]
}

function isAlways({ days = [], start_time, end_time, from_date, to_date }: ScheduleEntry): boolean {
  const isEveryDay = days.length === 0 || daysOfWeek.every((day) => days.includes(day))
  return isEveryDay && from_date === undefined && to_date === undefined && start_time === end_time
}

/** All prices that a session may start with, whatever the time is. */
function pricedBands({ tariff, rates, schedule }: TariffFacts): readonly PricedBand[] {
  const priced: PricedBand[] = []
  for (const entry of schedule?.entries ?? []) {
    const components = rates?.bands.find(({ band }) => band === entry.band)?.components.map(withDefaults)
    if (components === undefined) continue
    priced.push({ place: `of the rate band "${entry.band}"`, components })
    if (isAlways(entry)) return priced
  }
  return [...priced, { place: ofTariff, components: tariff.components.map(withDefaults) }]
}

function elementOf(components: readonly SnapshotComponent[], vat: number): TariffElement {
  return { price_components: atLeastFree(priceComponents(components, vat), vat) }
}

/** An element has a component, and a tariff without prices is one that costs nothing. */
function atLeastFree(prices: PriceComponent[], vat: number): PriceComponent[] {
  return prices.length > 0 ? prices : [{ type: 'FLAT', price: 0, vat, step_size: 1 }]
}

function taxReason(taxPercentage: number): string | undefined {
  if (isSayable(taxPercentage)) return undefined
  return `The tax of the tariff (${taxPercentage} percent) has more than the four decimals of OCPI.`
}

function bandsReason(priced: readonly PricedBand[]): string | undefined {
  return priced
    .map(({ components, place }) => componentsReason(components, place))
    .find((reason) => reason !== undefined)
}

function newest(times: readonly (string | undefined)[]): string {
  const instants = times.map((time) => (time === undefined ? Number.NEGATIVE_INFINITY : Date.parse(time)))
  return writeDateTime(Math.max(...instants))
}

/**
 * The prices of a session that starts at `now` (wall ms), without restrictions: OCPI would apply other prices within the session, and ours has one
 * price from its start to its end. Whether it is offered does not depend on the time.
 */
export function makeTariff(facts: TariffFacts, now: number): MadeTariff {
  const { party, tariff, rates, schedule, rules, timeZone } = facts
  const { tariff_id, currency, tax_percentage } = tariff
  const reason = taxReason(tax_percentage) ?? bandsReason(pricedBands(facts)) ?? rulesReason(rules)
  if (reason !== undefined) return { ok: false, reason }
  const switchedAt = lastSwitch(schedule?.entries ?? [], now, timeZone)
  const switched = switchedAt === undefined ? [] : [new Date(switchedAt).toISOString()]
  const rows = [tariff, rates, schedule, ...rules].map((row) => row?.updated_at)
  const made: OcpiTariff = {
    country_code: party.country_code,
    party_id: party.party_id,
    id: tariff_id,
    currency,
    ...boundsOf(rules, tax_percentage, minorUnitsOf(currency)),
    elements: [elementOf(bandAt(facts, now).components.map(withDefaults), tax_percentage)],
    last_updated: newest([...rows, ...switched]),
  }
  return { ok: true, tariff: made }
}

/** The prices of a session that starts at `now`. */
export function bandAt(
  { tariff, rates, schedule, timeZone }: Pick<TariffFacts, 'tariff' | 'rates' | 'schedule' | 'timeZone'>,
  now: number,
): SelectedRates {
  return selectRates(tariff, rates?.bands ?? [], schedule?.entries ?? [], now, timeZone)
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
    elements: [elementOf(components, tax_percentage)],
    last_updated: writeDateTime(startedAt),
  }
  return { ok: true, tariff: made }
}
