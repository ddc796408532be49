// The mail that sums up many alerts, so that an outage of a fleet is not a mail for each charge point.

import { type MailText, timeText } from '../layout.js'
import { alertFooter } from './alert.js'
import type { ContentOf } from './index.js'

export function alertSummary(summary: ContentOf<'alert-summary'>): MailText {
  const { kinds, first, more, organizationName, time, timeZone } = summary
  const total = (which: 'raised' | 'resolved') => kinds.reduce((sum, kind) => sum + kind[which], 0)
  const told = countText(total('raised'), total('resolved'))
  return {
    subject: `Alerts: ${told}`,
    parts: [
      { type: 'paragraph', text: `There were many alerts of ${organizationName} at a time: ${told}.` },
      { type: 'facts', facts: kinds.map(({ name, raised, resolved }) => [name, countText(raised, resolved)] as const) },
      { type: 'facts', facts: first.map(({ about, text }) => [about, text] as const) },
      ...(more > 0 ? [{ type: 'paragraph' as const, text: `And ${more} more: the list of alerts has them all.` }] : []),
      { type: 'facts', facts: [['Time', timeText(time, timeZone)]] },
    ],
    footer: alertFooter(summary),
  }
}

function countText(raised: number, resolved: number): string {
  if (resolved === 0) return `${raised} raised`
  return raised === 0 ? `${resolved} resolved` : `${raised} raised, ${resolved} resolved`
}
