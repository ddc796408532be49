// The mail about a dispute that a driver has opened.

import { moneyText } from '../../documents/words.js'
import { type MailText, type Part, timeText } from './layout.js'
import type { ContentOf } from './template.js'

export function disputeOpened(notice: ContentOf<'dispute-opened'>): MailText {
  const { organizationName, cost, expectedCost, currency, minorUnits } = notice
  const money = (amount: number): string => moneyText(amount, currency, minorUnits)
  return {
    subject: `A driver disputes a session of ${money(cost)}`,
    parts: [
      {
        type: 'paragraph',
        text: 'A driver has disputed the cost of a charging session, and gives this reason:',
      },
      { type: 'paragraph', text: notice.reason },
      {
        type: 'facts',
        facts: [
          ['Cost', money(cost)],
          ...(expectedCost === undefined ? [] : [['Expected cost', money(expectedCost)] as const]),
          ['Charge point', notice.chargePointId],
          ['Start of the session', timeText(notice.startedAt, notice.timeZone)],
          ['Session', notice.sessionId],
          ['Dispute', notice.disputeId],
        ],
      },
      {
        type: 'paragraph',
        text: 'To accept the dispute, send this request with the amount that the session is to cost, including tax:',
      },
      answer(notice.disputeId, { status: 'accepted', amount: Math.min(expectedCost ?? cost, cost) }),
      { type: 'paragraph', text: 'To reject it, send this request with a note that the driver sees:' },
      answer(notice.disputeId, { status: 'rejected', note: 'Why the cost is correct' }),
    ],
    footer: `You get this mail because disputes of ${organizationName} are sent to this address.`,
  }
}

function answer(disputeId: string, body: Readonly<Record<string, unknown>>): Part {
  return { type: 'request', method: 'PATCH', path: `/api/v1/billing/disputes/${disputeId}`, body }
}
