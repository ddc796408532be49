// The clock of the service has jumped ahead, and the new time is not confirmed.

import { defineAlertKind, detail } from './define-kind.js'

/** Confirms the time; the message names it. */
const confirmRoute = 'POST /api/v1/installation/clock/confirm'

export const clockJumpedAhead = defineAlertKind({
  name: 'clock_jumped_ahead',
  severity: 'critical',
  meaning:
    "The clock of the service has jumped ahead, or the service was stopped for more than a day. Until the new time is confirmed, no month is closed, and nothing is pruned or removed. Sent to the operator's own organization.",
  lasts: true,
  resolution: 'the time of the clock is confirmed',
  nextStep: `If the clock is right, confirm it with ${confirmRoute}; if it is wrong, correct it. A jump of up to a week is confirmed after an hour without another jump.`,
  details: {
    ahead_seconds: detail.count('Clock ahead by, seconds', {
      description: 'How far the clock is ahead of the confirmed time when the alert is raised.',
    }),
  },
  find: (ahead_seconds: number) => ({
    message: `the clock of the service is ${ahead_seconds} seconds ahead of the confirmed time: no month is closed and nothing is removed until ${confirmRoute} confirms it`,
    details: { ahead_seconds },
  }),
})
