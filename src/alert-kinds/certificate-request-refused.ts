// The service has not signed what a charge point asked it to sign.

import { defineAlertKind } from './define-kind.js'

export const certificateRequestRefused = defineAlertKind({
  name: 'certificate_request_refused',
  severity: 'warning',
  meaning:
    'The service has not signed a certificate request of a charge point; the message says why. Sent at most once an hour for each charge point.',
  lasts: false,
  nextStep: 'Correct what the reason names; the charge point asks again by itself or after an ExtendedTriggerMessage.',
  find: (reason: string) => ({ message: `a certificate request of the charge point was not signed: ${reason}` }),
})
