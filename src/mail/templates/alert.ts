// What a mail about an alert tells, raised or resolved.

import type { AlertNotice } from '../../actors/records/mail.js'
import { type Part, timeText } from '../layout.js'

export function alertParts({ message, organizationName, chargePointId, time, timeZone }: AlertNotice): readonly Part[] {
  return [
    { type: 'paragraph', text: message },
    {
      type: 'facts',
      facts: [
        ...(chargePointId === undefined ? [] : [['Charge point', chargePointId] as const]),
        ['Time', timeText(time, timeZone)],
        ['Organization', organizationName],
      ],
    },
  ]
}

export function alertFooter({ organizationName }: Pick<AlertNotice, 'organizationName'>): string {
  return `You get this mail because alerts of ${organizationName} are sent to this address.`
}
