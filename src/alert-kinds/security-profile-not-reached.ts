// A charge point has not come to the security profile that it was to be taken to.

import { defineAlertKind } from './define-kind.js'

export const securityProfileNotReached = defineAlertKind({
  name: 'security_profile_not_reached',
  severity: 'warning',
  meaning:
    'A charge point was to be taken to a higher security profile, and has refused a step, has lost all of its certificates on the way, or has not connected with the profile within 24 hours; the message says which. It can still connect as before. Sent at most once an hour for each charge point.',
  lasts: false,
  nextStep:
    'Look at GET /api/v1/chargepoints/{charge_point_id}/security-profile, mend what the step says, and begin again.',
  find: (profile: number, step: string, detail: string) => ({
    message: `the charge point has not come to security profile ${profile}, because of the step ${step}: ${detail}`,
  }),
})
