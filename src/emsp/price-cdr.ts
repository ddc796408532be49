// What a charge detail record costs by the tariffs that are in it, computed as the standard says (OCPI 2.2.1, 11.4.2 and 11.5): the partner's
// own calculation, which shares nothing with that of the operator. Exact throughout; only `rounded` and `invoiced` round.

import type { Price } from '../ocpi/schemas/common.js'
import type { PriceComponent, Tariff, TariffDimensionType } from '../ocpi/schemas/tariff.js'
import {
  compare,
  dividedBy,
  type Fraction,
  fraction,
  fractionOf,
  minus,
  numberOf,
  one,
  plus,
  roundedTo,
  roundedUpTo,
  sumOf,
  times,
  zero,
} from './fraction.js'
import { type Moment, restrictionsHold } from './restrictions.js'
import { type Doing, type Priceable, type Slice, slicesOf } from './slices.js'

export interface ExactPrice {
  readonly excl: Fraction
  readonly incl: Fraction
}

export interface PricedDimension extends ExactPrice {
  /** kWh, hours, or how often: what is paid for, after step_size. */
  readonly billed: Fraction
}

export interface PricedCdr {
  readonly fixed: PricedDimension
  readonly energy: PricedDimension
  readonly time: PricedDimension
  readonly parking: PricedDimension
  readonly reservation: PricedDimension
  /** Within the minimum and maximum price of the tariffs. */
  readonly total: ExactPrice
  /** Of the total with VAT: whether a minimum or maximum price has changed it. */
  readonly isClamped: boolean
  /** What VAT is due on, by its percentage. */
  readonly taxable: readonly { readonly vat: Fraction; readonly excl: Fraction }[]
}

/** So much of a dimension at one price. */
interface Part {
  readonly component: PriceComponent
  /** kWh, seconds, or how often. */
  readonly volume: Fraction
}

const secondsPerHour = fraction(3_600n)
const wattHoursPerKwh = fraction(1_000n)

type ReservationKind = 'RESERVATION' | 'RESERVATION_EXPIRES'

/** The component of the first element that has one of this type and holds. */
function activeComponent(
  { elements }: Tariff,
  type: TariffDimensionType,
  moment: Moment,
  reservation?: ReservationKind,
): PriceComponent | undefined {
  for (const { restrictions = {}, price_components } of elements) {
    if (restrictions.reservation !== reservation || !restrictionsHold(restrictions, moment)) continue
    const component = price_components.find((candidate) => candidate.type === type)
    if (component !== undefined) return component
  }
  return undefined
}

function partsOf(
  slices: readonly Slice[],
  type: TariffDimensionType,
  volumeOf: (slice: Slice) => Fraction,
  reservation?: ReservationKind,
): Part[] {
  return slices.flatMap((slice): Part[] => {
    const volume = volumeOf(slice)
    if (compare(volume, zero) <= 0) return []
    const component = activeComponent(slice.tariff, type, slice.moment, reservation)
    return component === undefined ? [] : [{ component, volume }]
  })
}

/** The total rounded up to the step of the last component, at whose price the difference is paid. */
function withStep(parts: readonly Part[], unitsPerVolume: Fraction): readonly Part[] {
  const last = parts.at(-1)
  if (last === undefined || last.component.step_size < 1) return parts
  const total = sumOf(parts.map(({ volume }) => volume))
  const step = dividedBy(fraction(BigInt(last.component.step_size)), unitsPerVolume)
  return [...parts, { component: last.component, volume: minus(roundedUpTo(total, step), total) }]
}

function priceOf({ component, volume }: Part, perUnit: Fraction): ExactPrice {
  const excl = times(dividedBy(volume, perUnit), fractionOf(component.price))
  return { excl, incl: times(excl, plus(one, vatOf(component))) }
}

/** As a part of 1. Without VAT is the same price. */
function vatOf({ vat = 0 }: PriceComponent): Fraction {
  return dividedBy(fractionOf(vat), fraction(100n))
}

function dimensionOf(parts: readonly Part[], perUnit: Fraction): PricedDimension {
  const prices = parts.map((part) => priceOf(part, perUnit))
  return {
    billed: dividedBy(sumOf(parts.map(({ volume }) => volume)), perUnit),
    excl: sumOf(prices.map(({ excl }) => excl)),
    incl: sumOf(prices.map(({ incl }) => incl)),
  }
}

interface Parts {
  readonly fixed: readonly Part[]
  readonly energy: readonly Part[]
  readonly time: readonly Part[]
  readonly parking: readonly Part[]
  readonly reservationFee: readonly Part[]
  readonly reservationTime: readonly Part[]
}

const spentOn =
  (doing: Doing) =>
  (slice: Slice): Fraction =>
    slice.doing === doing ? slice.seconds : zero

function flat(slice: Slice | undefined, reservation?: ReservationKind): Part[] {
  if (slice === undefined) return []
  const component = activeComponent(slice.tariff, 'FLAT', slice.moment, reservation)
  return component === undefined ? [] : [{ component, volume: one }]
}

/** Of reservations that expired without a charge, what is said for them comes first. */
function reservationParts(
  slices: readonly Slice[],
  isUsed: boolean,
): Pick<Parts, 'reservationFee' | 'reservationTime'> {
  const kind: ReservationKind = isUsed ? 'RESERVATION' : 'RESERVATION_EXPIRES'
  const own = partsOf(slices, 'TIME', spentOn('reserved'), kind)
  const time = own.length > 0 ? own : partsOf(slices, 'TIME', spentOn('reserved'), 'RESERVATION')
  return { reservationFee: flat(slices[0], kind), reservationTime: withStep(time, one) }
}

/** Only the last tariff of a session rounds up; the fee is that of its start. */
function partsUnder(slices: readonly Slice[], isFirst: boolean, isLast: boolean): Parts {
  const charge = slices.filter(({ doing }) => doing !== 'reserved')
  const reserved = slices.filter(({ doing }) => doing === 'reserved')
  const energy = partsOf(charge, 'ENERGY', ({ kwh }) => kwh)
  const time = partsOf(charge, 'TIME', spentOn('charging'))
  const parking = partsOf(charge, 'PARKING_TIME', spentOn('parked'))
  return {
    fixed: isFirst ? flat(charge[0]) : [],
    energy: isLast ? withStep(energy, wattHoursPerKwh) : energy,
    time: isLast && parking.length === 0 ? withStep(time, one) : time,
    parking: isLast ? withStep(parking, one) : parking,
    ...reservationParts(reserved, charge.length > 0),
  }
}

function within(value: Fraction, lowest: number | undefined, highest: number | undefined): Fraction {
  const raised = lowest !== undefined && compare(value, fractionOf(lowest)) < 0 ? fractionOf(lowest) : value
  return highest !== undefined && compare(raised, fractionOf(highest)) > 0 ? fractionOf(highest) : raised
}

function added(one: PricedDimension, other: PricedDimension): PricedDimension {
  return {
    billed: plus(one.billed, other.billed),
    excl: plus(one.excl, other.excl),
    incl: plus(one.incl, other.incl),
  }
}

function taxableOf(parts: readonly (readonly [Part, Fraction])[]): PricedCdr['taxable'] {
  const byRate = new Map<string, { vat: Fraction; excl: Fraction }>()
  for (const [part, perUnit] of parts) {
    const vat = vatOf(part.component)
    const key = `${vat.over}/${vat.under}`
    const { excl } = priceOf(part, perUnit)
    byRate.set(key, { vat, excl: plus(byRate.get(key)?.excl ?? zero, excl) })
  }
  return [...byRate.values()]
}

function priceUnder(tariff: Tariff, parts: Parts): PricedCdr {
  const { fixed, energy, time, parking, reservationFee, reservationTime } = parts
  const hours = [...time, ...parking, ...reservationTime]
  const fee = dimensionOf(reservationFee, one)
  const priced = {
    fixed: dimensionOf(fixed, one),
    energy: dimensionOf(energy, one),
    time: dimensionOf(time, secondsPerHour),
    parking: dimensionOf(parking, secondsPerHour),
    reservation: added({ ...fee, billed: zero }, dimensionOf(reservationTime, secondsPerHour)),
  }
  const all = Object.values(priced)
  const incl = sumOf(all.map((dimension) => dimension.incl))
  const { min_price, max_price } = tariff
  const total = {
    excl: within(sumOf(all.map(({ excl }) => excl)), min_price?.excl_vat, max_price?.excl_vat),
    incl: within(incl, min_price?.incl_vat, max_price?.incl_vat),
  }
  const taxable = taxableOf([
    ...[...fixed, ...energy, ...reservationFee].map((part) => [part, one] as const),
    ...hours.map((part) => [part, secondsPerHour] as const),
  ])
  return { ...priced, total, isClamped: compare(total.incl, incl) !== 0, taxable }
}

const nothing: PricedDimension = { billed: zero, excl: zero, incl: zero }
const free: PricedCdr = {
  fixed: nothing,
  energy: nothing,
  time: nothing,
  parking: nothing,
  reservation: nothing,
  total: nothing,
  isClamped: false,
  taxable: [],
}

function together(one: PricedCdr, other: PricedCdr): PricedCdr {
  return {
    fixed: added(one.fixed, other.fixed),
    energy: added(one.energy, other.energy),
    time: added(one.time, other.time),
    parking: added(one.parking, other.parking),
    reservation: added(one.reservation, other.reservation),
    total: { excl: plus(one.total.excl, other.total.excl), incl: plus(one.total.incl, other.total.incl) },
    isClamped: one.isClamped || other.isClamped,
    taxable: [...one.taxable, ...other.taxable],
  }
}

/** `timeZone` is that of the location. */
export function priceCdr(priceable: Priceable, timeZone: string): PricedCdr {
  const slices = slicesOf(priceable, timeZone)
  const tariffs = [...new Set(slices.map(({ tariff }) => tariff))]
  return tariffs
    .map((tariff) => {
      const under = slices.filter((slice) => slice.tariff === tariff)
      return priceUnder(tariff, partsUnder(under, tariff === tariffs[0], tariff === tariffs.at(-1)))
    })
    .reduce(together, free)
}

/** As OCPI writes a price: four decimals. */
export function rounded({ excl, incl }: ExactPrice): Required<Price> {
  return { excl_vat: numberOf(excl, 4), incl_vat: numberOf(incl, 4) }
}

/**
 * As it is on a bill: the net amount to the minor unit of the currency, half up, and of that the VAT (EN 16931, BR-CO-17). A minimum or
 * maximum price says itself what it is with VAT.
 */
export function invoiced({ total, isClamped, taxable }: PricedCdr, minorUnits: number): Required<Price> {
  const excl = roundedTo(total.excl, minorUnits)
  const vatOfNet = taxable.map(({ vat, excl: net }) =>
    roundedTo(times(taxable.length === 1 ? excl : roundedTo(net, minorUnits), vat), minorUnits),
  )
  const incl = isClamped ? roundedTo(total.incl, minorUnits) : plus(excl, sumOf(vatOfNet))
  return { excl_vat: numberOf(excl, minorUnits), incl_vat: numberOf(incl, minorUnits) }
}
