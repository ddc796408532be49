// Bounds of tariffs that nobody has to change. Those of prices are with the pricing, which holds them too.

export const tariffLimits = {
  /** Rate bands of one tariff. */
  rateBands: 50,
  /** Entries of one tariff's schedule. */
  scheduleEntries: 200,
} as const
