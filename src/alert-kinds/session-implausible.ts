// A session has more energy than its connector can have delivered.

import { defineAlertKind } from './define-kind.js'
import { session_id } from './details.js'

interface ImplausibleFacts {
  readonly sessionId: string
  readonly energyWh: number
}

export const sessionImplausible = defineAlertKind({
  name: 'session_implausible',
  severity: 'warning',
  meaning:
    'A session has ended with more energy than its connector can have delivered. It is billed as the charge point reports it, and has the flag `energy_implausible`. Sent at most once an hour for each charge point.',
  lasts: false,
  nextStep: 'Check the meter of the charge point, and its max_power_kw, before the session is invoiced.',
  look: '/api/v1/sessions/{session_id}',
  details: { session_id },
  find: ({ sessionId, energyWh }: ImplausibleFacts) => ({
    message: `a session ended with ${energyWh / 1_000} kWh, more than the connector can have delivered`,
    details: { session_id: sessionId },
  }),
})
