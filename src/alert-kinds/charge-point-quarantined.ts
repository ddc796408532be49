// The service fails again and again at the messages of a charge point.

import { defineAlertKind } from './define-kind.js'

export const chargePointQuarantined = defineAlertKind({
  name: 'charge_point_quarantined',
  severity: 'critical',
  meaning:
    'The service has failed again and again to handle messages of a charge point. It refuses them for a minute each time, and for ten minutes or more where they have ended a thread of the service. Sent at most once an hour.',
  lasts: false,
  nextStep: 'Read the log of the service for the message that fails, and report it to its developers.',
  find: () => ({
    message: 'the service failed again and again to handle messages of the charge point, and refuses them for a while',
  }),
})
