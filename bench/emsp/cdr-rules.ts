// A charge detail record as a partner checks its bill: that it adds up, costs what its tariffs say, and is billed once (OCPI 2.2.1, 10.3).

import { priceCdr, rounded } from '../../src/emsp/price-cdr.js'
import type { Party } from '../../src/ocpi/headers.js'
import type { Cdr } from '../../src/ocpi/schemas/cdr.js'
import type { CdrDimensionType } from '../../src/ocpi/schemas/charging-period.js'
import type { Price } from '../../src/ocpi/schemas/common.js'
import { canonical } from './check-object.js'
import { ownerFaults, periodFaults } from './rules.js'
import { instantOf } from './times.js'

const hourMs = 3_600_000
/** Hours, and kWh, are told in four decimals. */
const decimals = 10_000
const units = (value: number): number => Math.round(value * decimals)

function sumOf({ charging_periods }: Cdr, type: CdrDimensionType): number {
  const volumes = charging_periods.flatMap(({ dimensions }) =>
    dimensions.filter((dimension) => dimension.type === type),
  )
  return volumes.reduce((sum, { volume }) => sum + units(volume), 0) / decimals
}

/** Rounding may take one of the last decimal. */
const differ = (one: number, other: number): boolean => Math.abs(units(one) - units(other)) > 1

/** Of its own: its form is known to be right. */
export function cdrFaults(cdr: Cdr, own: Party): string[] {
  const { start_date_time, end_date_time, charging_periods, total_energy, total_time, total_parking_time } = cdr
  const { tariffs = [], credit, credit_reference_id } = cdr
  const faults = [...ownerFaults(cdr, own), ...periodFaults(charging_periods, start_date_time, end_date_time)]
  const energy = sumOf(cdr, 'ENERGY')
  if (units(energy) !== units(total_energy))
    faults.push(`its total_energy is ${total_energy} kWh, and its charging periods have ${energy} kWh`)
  const hours = ((instantOf(end_date_time) ?? 0) - (instantOf(start_date_time) ?? 0)) / hourMs
  if (differ(hours, total_time)) faults.push(`its total_time is ${total_time} h, and it took ${hours.toFixed(4)} h`)
  const parked = sumOf(cdr, 'PARKING_TIME')
  if (differ(parked, total_parking_time ?? 0))
    faults.push(`its total_parking_time is ${total_parking_time ?? 0} h, and its charging periods have ${parked} h`)
  for (const { tariff_id } of charging_periods)
    if (tariff_id !== undefined && !tariffs.some(({ id }) => id.toUpperCase() === tariff_id.toUpperCase()))
      faults.push(`its charging periods name the tariff ${tariff_id}, which it does not have`)
  if ((credit === true) !== (credit_reference_id !== undefined))
    faults.push('credit and credit_reference_id come together, and one is missing')
  return faults
}

export interface CheckedPrice {
  /** Undefined where the CDR does not say by which tariff it was charged, or where the location's time zone is needed and not known. */
  readonly computed: Required<Price> | undefined
  readonly faults: readonly string[]
}

const localTimes = ['start_time', 'end_time', 'start_date', 'end_date', 'day_of_week'] as const

function needsTimeZone({ tariffs = [] }: Cdr): boolean {
  const restrictions = tariffs.flatMap(({ elements }) => elements.map((element) => element.restrictions ?? {}))
  return restrictions.some((one) => localTimes.some((name) => one[name] !== undefined))
}

const isSamePrice = (said: Price, computed: Required<Price>): boolean =>
  units(said.excl_vat) === units(computed.excl_vat) &&
  (said.incl_vat === undefined || units(said.incl_vat) === units(computed.incl_vat))

const words = ({ excl_vat, incl_vat }: Price): string =>
  incl_vat === undefined ? `${excl_vat}` : `${excl_vat} (${incl_vat} with VAT)`

/** `timeZone` is that of its location. */
export function checkPrice(cdr: Cdr, timeZone: string | undefined): CheckedPrice {
  const { tariffs = [], total_cost, credit } = cdr
  const isFree = total_cost.excl_vat === 0 && (total_cost.incl_vat ?? 0) === 0
  if (tariffs.length === 0) return { computed: isFree ? { excl_vat: 0, incl_vat: 0 } : undefined, faults: [] }
  if (timeZone === undefined && needsTimeZone(cdr)) return { computed: undefined, faults: [] }
  const priced = priceCdr(cdr, timeZone ?? 'UTC')
  const total = rounded(priced.total)
  const sign = credit === true ? -1 : 1
  const computed = { excl_vat: 0 + sign * total.excl_vat, incl_vat: 0 + sign * total.incl_vat }
  const parts = [
    ['total_fixed_cost', priced.fixed],
    ['total_energy_cost', priced.energy],
    ['total_time_cost', priced.time],
    ['total_parking_cost', priced.parking],
    ['total_reservation_cost', priced.reservation],
  ] as const
  const faults = parts.flatMap(([name, exact]) => {
    const said = cdr[name]
    const part = rounded(exact)
    return said === undefined || isSamePrice(said, part)
      ? []
      : [`its ${name} is ${words(said)}, and its tariffs make ${words(part)}`]
  })
  if (!isSamePrice(total_cost, computed))
    faults.push(`its total_cost is ${words(total_cost)}, and its tariffs make ${words(computed)}`)
  return { computed, faults }
}

const idOf = (id: string): string => id.toUpperCase()

/** Beside those that there are: whether it bills anything twice, or takes back what it should. */
export function billingFaults(cdr: Cdr, others: readonly Cdr[]): string[] {
  const { id, session_id, credit_reference_id } = cdr
  const credited = new Set(
    others.flatMap((other) => (other.credit === true ? [idOf(other.credit_reference_id ?? '')] : [])),
  )
  if (cdr.credit === true) {
    const original = others.find((other) => idOf(other.id) === idOf(credit_reference_id ?? ''))
    if (original === undefined) return [`it credits ${credit_reference_id}, which has never come`]
    if (credited.has(idOf(original.id))) return [`it credits ${credit_reference_id}, which was credited before`]
    return creditFaults(cdr, original)
  }
  if (session_id === undefined) return []
  const standing = others.filter(
    (other) => other.credit !== true && other.session_id === session_id && !credited.has(idOf(other.id)),
  )
  return standing.map(
    (other) => `it bills the session ${session_id}, as ${other.id} does, which was not credited: ${id} is one too many`,
  )
}

const ofCredit = new Set(['id', 'total_cost', 'credit', 'credit_reference_id', 'last_updated', 'remark'])

function creditFaults(credit: Cdr, original: Cdr): string[] {
  const rest = (cdr: Cdr) => canonical(Object.fromEntries(Object.entries(cdr).filter(([name]) => !ofCredit.has(name))))
  const sum = (name: 'excl_vat' | 'incl_vat'): number =>
    units(credit.total_cost[name] ?? 0) + units(original.total_cost[name] ?? 0)
  return [
    ...(sum('excl_vat') !== 0 || sum('incl_vat') !== 0 ? [`it does not take back what ${original.id} costs`] : []),
    ...(rest(credit) === rest(original) ? [] : [`it differs from ${original.id} in more than its total_cost`]),
  ]
}
