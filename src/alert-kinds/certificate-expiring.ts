// A certificate is near its end: the client certificate of a charge point, or one of the service itself.

import { Type } from 'typebox'
import { defineWatchedKind, detail, type WatchedCause } from './define-kind.js'

const dayMs = 86_400_000

const named = {
  charge_point: 'the client certificate of the charge point',
  listener: 'the certificate of the listener',
  client_authority: 'the certificate of the authority for client certificates',
}

interface CertificateFacts {
  readonly certificate: keyof typeof named
  readonly expiresAt: string
}

export const certificateExpiring = defineWatchedKind({
  name: 'certificate_expiring',
  severity: 'warning',
  meaning:
    "A client certificate of a charge point expires soon; or, for the operator's own organization, the certificate of the listener or of the authority for client certificates.",
  lasts: true,
  threshold: {
    name: 'certificate_days',
    fallback: 30,
    minimum: 1,
    maximum: 365,
    meaning: 'How many days before a certificate expires the alert is raised.',
  },
  resolution: 'the certificate has been replaced',
  nextStep: 'Replace the certificate before it expires; from then on, connections that need it fail.',
  details: {
    certificate: {
      schema: Type.Enum(['charge_point', 'listener', 'client_authority']),
      label: 'Certificate',
    },
    expires_at: detail.time('Expires at'),
  },
  find: ({ certificate, expiresAt }: CertificateFacts) => ({
    message: `${named[certificate]} expires at ${expiresAt}`,
    details: { certificate, expires_at: expiresAt },
  }),
  watch: {
    time: 'end',
    dueMs: (days) => days * dayMs,
    facts: ({ at }: WatchedCause<unknown>): CertificateFacts => ({ certificate: 'charge_point', expiresAt: at }),
  },
})
