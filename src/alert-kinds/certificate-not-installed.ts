// A charge point has not installed the certificate that was signed for it.

import { defineAlertKind } from './define-kind.js'

export const certificateNotInstalled = defineAlertKind({
  name: 'certificate_not_installed',
  severity: 'warning',
  meaning:
    'A charge point has refused the certificate that it had asked for and the service has signed, or has not answered within two minutes; the message says why. Sent at most once an hour for each charge point.',
  lasts: false,
  nextStep:
    'Check that the charge point trusts the authority that signs, and accepts a chain of its length. It can ask again after an ExtendedTriggerMessage with SignChargePointCertificate.',
  find: (reason: string) => ({
    message: `the charge point has not installed the certificate that was signed for it: ${reason}`,
  }),
})
