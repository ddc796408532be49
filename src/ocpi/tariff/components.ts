// The components of a tariff, or of one of its rate bands, as price components of OCPI (2.2.1, 11.4.2), and what of them OCPI cannot say.

import type { SnapshotComponent } from '../../pricing/tariff-terms.js'
import type { PriceComponent, TariffDimensionType } from '../schemas/tariff.js'

/** Idle time that has no price of its own is charged as time. */
function dimensionsOf(type: SnapshotComponent['type'], billsIdle: boolean): readonly TariffDimensionType[] {
  switch (type) {
    case 'energy':
      return ['ENERGY']
    case 'flat':
      return ['FLAT']
    case 'idle':
      return ['PARKING_TIME']
    case 'time':
      return billsIdle ? ['TIME'] : ['TIME', 'PARKING_TIME']
  }
}

/** Of two of one type the first counts. */
function firsts(components: readonly SnapshotComponent[]): readonly SnapshotComponent[] {
  return components.filter(({ type }, index) => components.findIndex((other) => other.type === type) === index)
}

export function priceComponents(components: readonly SnapshotComponent[], vat: number): PriceComponent[] {
  const used = firsts(components)
  const billsIdle = used.some(({ type }) => type === 'idle')
  return used.flatMap(({ type, price, step_size }) =>
    dimensionsOf(type, billsIdle).map((dimension) => ({
      type: dimension,
      price,
      vat,
      step_size: dimension === 'FLAT' ? 1 : step_size,
    })),
  )
}

/** Numbers of OCPI have four decimals. */
export function isSayable(value: number): boolean {
  return Math.round(value * 10_000) / 10_000 === value
}

/** `place` is where they stand, in words: "of the rate band night". Undefined where OCPI can say all of it. */
export function componentsReason(components: readonly SnapshotComponent[], place: string): string | undefined {
  const used = firsts(components)
  for (const { type, price } of used)
    if (!isSayable(price)) return `The ${type} price ${place} (${price}) has more than the four decimals of OCPI.`
  const idle = used.find(({ type }) => type === 'idle')
  if (idle === undefined || idle.grace_minutes === 0) return undefined
  // Where neither idle time nor time costs anything, it makes no difference which idle time is free.
  if (idle.price === 0 && used.every(({ type, price }) => type !== 'time' || price === 0)) return undefined
  return `The idle price ${place} leaves ${idle.grace_minutes} minutes free (grace_minutes), which OCPI 2.2.1 cannot express.`
}
