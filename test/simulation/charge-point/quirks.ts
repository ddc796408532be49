// What is odd about a charge point, out of its seed.

import type { Faults } from '../faults.js'

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
  /** Tells no meter values between start and stop. */
  readonly metersNothing: boolean
  /** At which its registers begin anew, Wh; they come to it in the world. */
  readonly registersEnd: number | undefined
  /** Its registers are reset when they have been read. */
  readonly resetsRegisters: boolean
}

/** Powers of ten, and the ends of signed and unsigned words. */
const ends = [1_000_000, 10_000_000, 2 ** 31, 2 ** 32]

export function drawQuirks({ random, rates }: Pick<Faults, 'random' | 'rates'>): Quirks {
  const told = {
    countsMessages: random() < 0.3,
    clock: random() < 0.8 ? ('right' as const) : random() < 0.5 ? ('local' as const) : ('unset' as const),
    metersWithoutTransaction: random() < 0.2,
    availableBeforeStop: random() < 0.2,
    givesUpStarts: random() < 0.1,
    forgetsOnPowerLoss: random() < 0.1,
    stopsLate: random() < 0.1,
    metersNothing: random() < 0.15,
    registersEnd: random() < 0.15 ? ends[Math.floor(random() * ends.length)] : undefined,
  }
  // What was taken before a reset is known from readings alone: from all of them, with the times and the transaction that they are of.
  const readingsCount = !told.metersWithoutTransaction && !told.givesUpStarts && told.clock === 'right'
  const resets = random() < 0.3 && readingsCount && rates.clockSteps === 0
  return { ...told, resetsRegisters: resets && told.registersEnd === undefined }
}
