// Bounds of prices and of what is priced: within them, sums are exact in a number.

import { defineLimits } from '../runtime/define-limits.js'

/** So many sessions that cost as much as one can still add up to an amount that a JSON number states to the last minor unit. */
export const costliestSessionsSummed = 50

export const limits = defineLimits(
  {
    /** Wh of one session that are priced: 1 MW for more than a year. With the bounds below, every sum of money is exact in a number. */
    pricedEnergyWh: 10_000_000_000,
    /** Seconds of one session that are priced: a hundred years. */
    pricedSeconds: 3_153_600_000,
    graceMinutes: 600_000,
    /** A price per kWh, per hour or per session, and an amount in a billing rule. */
    price: 1_000_000,
    /** A step_size, in Wh or seconds. */
    stepSize: 1_000_000,
    /** The cost of one session before tax, in minor units of its currency: neither lines nor billing rules raise it further. */
    costMinorUnits: 10_000_000_000_000,
  },
  (bounds) => [
    // The tax is as much as the cost at most, and every decimal of fifteen digits is a double of its own.
    [2 * bounds.costMinorUnits * costliestSessionsSummed <= 1e15, 'a sum of totals is exact in a number'],
    [
      Number.isSafeInteger(1_000 * (bounds.pricedEnergyWh + bounds.stepSize)),
      'billed energy, rounded up, is exact in mWh',
    ],
    [Number.isSafeInteger(1_000 * (bounds.pricedSeconds + bounds.stepSize)), 'billed time, rounded up, is exact in ms'],
  ],
)
