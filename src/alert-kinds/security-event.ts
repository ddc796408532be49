// A charge point reports a security event.

import { defineAlertKind, detail } from './define-kind.js'

interface SecurityFacts {
  readonly type: string
  readonly reportedAt: string
  readonly techInfo: string | undefined
}

export const securityEvent = defineAlertKind({
  name: 'security_event',
  severity: 'warning',
  meaning: 'A charge point has reported a security event (security whitepaper, A04).',
  lasts: false,
  nextStep: "Check with the manufacturer's documentation whether somebody has tampered with the charge point.",
  details: {
    security_event: detail.text('Security event', {
      description: 'The type of the security event, as the charge point reported it (security whitepaper, A04).',
    }),
    tech_info: detail.text('Technical information'),
    reported_at: detail.time('Reported at', {
      description: 'The time of the security event by the clock of the charge point.',
    }),
  },
  find: ({ type, reportedAt, techInfo }: SecurityFacts) => ({
    message: `the charge point reports a security event: ${type}`,
    details: {
      security_event: type,
      reported_at: reportedAt,
      ...(techInfo !== undefined && { tech_info: techInfo }),
    },
  }),
})
