// When the partners of a shard take the steps of their long walks: one after the other, so that many partners do not walk at once after a start.

import { limits } from './limits.js'

export interface Walks {
  /** Monotonic ms of the next step that no other partner has. */
  next(now: number): number
}

export function createWalks(): Walks {
  let last = Number.NEGATIVE_INFINITY
  return {
    next(now) {
      last = Math.max(now, last + limits.ocpiStepsApartMs)
      return last
    },
  }
}
