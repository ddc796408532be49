// The clock of a charge point: right, two hours off, or unset until a BootNotification was answered.

import type { SimulatedTime } from '../time.js'
import type { Quirks } from './quirks.js'

export interface ChargePointClock {
  /** What it puts into its messages. */
  timestamp(): string
  powerUp(): void
  /** It has been told the time. */
  set(): void
}

const localMs = 2 * 3_600_000

export function createChargePointClock(time: SimulatedTime, { clock }: Quirks): ChargePointClock {
  let isSet = clock !== 'unset'
  let poweredAt = time.monotonic()
  return {
    timestamp: () =>
      new Date(isSet ? time.now() + (clock === 'local' ? localMs : 0) : time.monotonic() - poweredAt).toISOString(),
    powerUp() {
      poweredAt = time.monotonic()
      isSet = clock !== 'unset'
    },
    set() {
      isSet = true
    },
  }
}
