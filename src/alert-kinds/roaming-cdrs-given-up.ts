// A roaming partner is not billed: it has refused a CDR for a fortnight, or the CDR could not be made. Its actor looks every few seconds.

import { defineAlertKind, detail } from './define-kind.js'
import { partner_id } from './details.js'

interface GivenUpFacts {
  readonly partnerId: string
  readonly name: string
  readonly cdrs: number
  /** Of the one that was given up first, where it is known. */
  readonly error: string | undefined
}

export const roamingCdrsGivenUp = defineAlertKind({
  name: 'roaming_cdrs_given_up',
  severity: 'critical',
  meaning:
    'A roaming partner has refused a CDR for 14 days, or the CDR could not be made, because its location lacks something. From then on, it is tried once a day.',
  lasts: true,
  resolution: 'the roaming partner has taken all of the CDRs',
  nextStep:
    'Look at why the partner refuses the CDR, and ask the people there; or complete the roaming details of the location. The CDR is tried again once a day.',
  look: '/api/v1/ocpi/partners/{partner_id}/exchanges',
  details: { partner_id, cdrs_given_up: detail.count('CDRs given up') },
  find: ({ partnerId, name, cdrs, error }: GivenUpFacts) => ({
    message: `${cdrs === 1 ? 'one CDR' : `${cdrs} CDRs`} for the roaming partner ${name} could not be delivered for 14 days${error === undefined ? '' : `: ${error}`}`,
    details: { partner_id: partnerId, cdrs_given_up: cdrs },
  }),
})
