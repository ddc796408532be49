// Why a charge point is not taken to a security profile.

import { defineError } from '../../../runtime/errors.js'

export const securityProfileDowngrade = defineError('security_profile_downgrade', {
  status: 409,
  meaning:
    'The charge point connects with a higher security profile already. OCPP forbids lowering it: that is done at the charge point itself.',
})

export const securityProfileReached = defineError('security_profile_reached', {
  status: 409,
  meaning: 'The charge point connects with this security profile already.',
})

export const securityProfileNotServed = defineError('security_profile_not_served', {
  status: 409,
  meaning:
    'No charge point can connect to this service with the security profile: 1 is without TLS of the service, 2 and 3 are with it.',
})

export const securityUpgradeRunning = defineError('security_upgrade_running', {
  status: 409,
  meaning: 'The charge point is on its way to a higher security profile.',
})
