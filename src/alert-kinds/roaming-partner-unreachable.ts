// Nothing that a roaming partner is sent reaches it. Its actor looks every few seconds.

import { defineAlertKind } from './define-kind.js'
import { failing_since, partner_id } from './details.js'

interface UnreachableFacts {
  readonly partnerId: string
  readonly name: string
  readonly since: string
  /** Of the first failure, in a sentence. */
  readonly error: string
}

export const roamingPartnerUnreachable = defineAlertKind({
  name: 'roaming_partner_unreachable',
  severity: 'warning',
  meaning:
    'Everything that a roaming partner was sent has failed for longer than the threshold: it does not answer, or answers what nobody can use.',
  lasts: true,
  threshold: {
    name: 'roaming_partner_failing_minutes',
    fallback: 60,
    minimum: 1,
    maximum: 7_200,
    meaning: 'For how long everything that a roaming partner is sent has to fail.',
  },
  resolution: 'the roaming partner answers again',
  nextStep:
    'Look at what the partner has answered, and ask the people there. It is told the newest state of everything when it is back, and CDRs are kept for it.',
  look: '/api/v1/ocpi/partners/{partner_id}/exchanges',
  details: { partner_id, failing_since },
  find: ({ partnerId, name, since, error }: UnreachableFacts) => ({
    message: `nothing has reached the roaming partner ${name} since ${since}: ${error}`,
    details: { partner_id: partnerId, failing_since: since },
  }),
})
