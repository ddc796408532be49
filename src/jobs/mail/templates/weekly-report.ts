// The mail that reports a week.

import { dateText, moneyText, numberText } from '../../documents/words.js'
import type { MailText } from './layout.js'
import type { ContentOf } from './template.js'

export function weeklyReport(report: ContentOf<'weekly-report'>): MailText {
  const { organizationName, chargePoints, sessions, energy_kwh, costs, alerts, openAlerts, timeZone } = report
  const lastDay = new Date(Date.parse(report.to) - 1).toISOString()
  const week = `${dateText(report.from, timeZone)} to ${dateText(lastDay, timeZone)}`
  return {
    subject: `Your week: ${sessions} sessions, ${numberText(energy_kwh, 0, 1)} kWh`,
    parts: [
      { type: 'paragraph', text: `${organizationName}, from ${week}.` },
      {
        type: 'facts',
        facts: [
          ['Charge points', numberText(chargePoints, 0)],
          ['Sessions that ended', numberText(sessions, 0)],
          ['Energy', `${numberText(energy_kwh, 0, 3)} kWh`],
          ...costs.map(({ name, total, minorUnits }) => ['Revenue', moneyText(total, name, minorUnits)] as const),
        ],
      },
      alerts.length === 0
        ? { type: 'paragraph', text: 'No alerts were raised.' }
        : { type: 'facts', facts: alerts.map(({ name, raised }) => [`Alerts: ${name}`, numberText(raised, 0)]) },
      ...(openAlerts === 0
        ? []
        : [
            {
              type: 'paragraph' as const,
              text: `${openAlerts === 1 ? '1 alert is' : `${openAlerts} alerts are`} still open.`,
            },
          ]),
    ],
    footer: `You get this mail because the weekly report of ${organizationName} is sent to this address.`,
  }
}
