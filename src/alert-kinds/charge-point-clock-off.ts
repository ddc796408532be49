// The clock of a charge point is wrong. Its actor takes several messages for it, over minutes, before it notes the cause.

import { defineWatchedKind, detail, type WatchedCause } from './define-kind.js'

const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const

/** `2 hours`, `5 minutes`, `90 seconds`: about, as nobody counts the seconds of hours. */
function lengthText(seconds: number): string {
  const [size, unit] = units.find(([one]) => seconds >= 2 * one || seconds === one) ?? [1, 'second']
  const count = Math.round(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

export const chargePointClockOff = defineWatchedKind({
  name: 'charge_point_clock_off',
  severity: 'warning',
  meaning:
    "A charge point's clock is off by more than the threshold: at least three messages within five minutes or more have shown it, and none of those between them had the right time.",
  lasts: true,
  threshold: {
    name: 'clock_skew_seconds',
    fallback: 300,
    minimum: 30,
    maximum: 86_400,
    meaning: 'By how much the clock of a charge point has to be off.',
  },
  resolution: 'the clock of the charge point is right again',
  nextStep: 'Check the time source of the charge point; a restart usually makes it take the time of the service.',
  details: {
    offset_seconds: detail.count('Clock behind by, seconds', {
      description: 'Positive when the clock is behind, negative when it is ahead.',
    }),
  },
  find: (offset_seconds: number) => ({
    message: `the clock of the charge point is ${lengthText(Math.abs(offset_seconds))} ${offset_seconds < 0 ? 'ahead' : 'behind'}`,
    details: { offset_seconds },
  }),
  watch: {
    time: 'beginning',
    dueMs: () => 0,
    facts: ({ row }: WatchedCause<{ readonly clock_off?: { readonly offset_seconds: number } }>) =>
      row.clock_off?.offset_seconds ?? 0,
  },
})
