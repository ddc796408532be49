// The mail about an alert that was raised.

import { alertFooter, alertParts, nextSteps } from './alert.js'
import type { MailText } from './layout.js'
import type { ContentOf, MailSurroundings } from './template.js'

export function alertRaised(notice: ContentOf<'alert-raised'>, surroundings: MailSurroundings): MailText {
  const what = notice.alert?.severity === 'critical' ? 'Critical alert' : 'Alert'
  return {
    subject: `${what}: ${notice.subject}`,
    parts: [...alertParts(notice, false), ...nextSteps(notice, surroundings)],
    footer: alertFooter(notice),
  }
}
