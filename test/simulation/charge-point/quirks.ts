// What is odd about a charge point, out of its seed.

import type { Random } from '../../../bench/client/random.js'

export interface Quirks {
  /** Message ids that begin at 1 with each connection. */
  readonly countsMessages: boolean
  readonly clock: 'right' | 'local' | 'unset'
  readonly metersWithoutTransaction: boolean
  readonly availableBeforeStop: boolean
  readonly givesUpStarts: boolean
  readonly forgetsOnPowerLoss: boolean
  /** Is Available long before it tells what was charged. */
  readonly stopsLate: boolean
}

export function drawQuirks(random: Random): Quirks {
  return {
    countsMessages: random() < 0.3,
    clock: random() < 0.8 ? 'right' : random() < 0.5 ? 'local' : 'unset',
    metersWithoutTransaction: random() < 0.2,
    availableBeforeStop: random() < 0.2,
    givesUpStarts: random() < 0.1,
    forgetsOnPowerLoss: random() < 0.1,
    stopsLate: random() < 0.1,
  }
}
