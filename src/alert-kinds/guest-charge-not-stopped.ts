// A guest goes on charging beyond what was authorized.

import { defineAlertKind } from './define-kind.js'
import { guest_session_id } from './details.js'

interface NotStoppedFacts {
  readonly guestSessionId: string
  readonly why: string
}

export const guestChargeNotStopped = defineAlertKind({
  name: 'guest_charge_not_stopped',
  severity: 'critical',
  meaning:
    'A guest goes on charging although the authorized amount is used up, because the charge point has not stopped the charge. The service asks it again until it does.',
  lasts: true,
  resolution: 'the charge has ended, or costs less than expected',
  nextStep:
    'Have the charge point stop the session, or have somebody unplug it: what it delivers from now on is not covered.',
  details: { guest_session_id },
  find: ({ guestSessionId, why }: NotStoppedFacts) => ({
    message: `the charge of a guest has used up the authorized amount: ${why}`,
    details: { guest_session_id: guestSessionId },
  }),
})
