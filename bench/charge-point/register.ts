// The energy register of a connector: what has really flowed, and what it shows of that. Some registers begin anew at their end, and
// some are reset. Energy is counted in whole Wh, so that readings and truth agree to the Wh.

export interface Register {
  /** All that has ever flowed, Wh. */
  total(): number
  /** What the register shows, Wh. */
  read(): number
  flow(wh: number): void
  /** The register begins anew at 0. */
  reset(): void
}

/** `end`: the register shows 0 instead of it. */
export function createRegister(first: number, end = Number.POSITIVE_INFINITY): Register {
  let flowed = 0
  let before = first
  const total = (): number => Math.floor(flowed)
  return {
    total,
    read: () => (before + total()) % end,
    flow(wh) {
      flowed += wh
    },
    reset() {
      before = -total()
    },
  }
}
