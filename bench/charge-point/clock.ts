// The clock of a charge point: right, two hours off, or unset until a BootNotification was answered.

export type ClockKind = 'right' | 'local' | 'unset'

export interface Clock {
  /** Wall time as the charge point has it, ms. */
  now(): number
  /** What it puts into its messages. */
  timestamp(): string
  powerUp(): void
  /** It has been told the time. */
  set(): void
}

const localMs = 2 * 3_600_000

/** `time`: the true time, ms, and how much of it passes. */
export function createClock(kind: ClockKind, time: { now(): number; monotonic(): number }): Clock {
  let isSet = kind !== 'unset'
  let poweredAt = time.monotonic()
  const now = (): number =>
    isSet ? time.now() + (kind === 'local' ? localMs : 0) : Math.floor(time.monotonic() - poweredAt)
  return {
    now,
    timestamp: () => new Date(now()).toISOString(),
    powerUp() {
      poweredAt = time.monotonic()
      isSet = kind !== 'unset'
    },
    set() {
      isSet = true
    },
  }
}
