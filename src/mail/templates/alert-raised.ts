// The mail that tells that an alert was raised.

import type { MailText } from '../layout.js'
import { alertFooter, alertParts } from './alert.js'
import type { ContentOf } from './index.js'

export function alertRaised(notice: ContentOf<'alert-raised'>): MailText {
  return { subject: `Alert: ${notice.subject}`, parts: alertParts(notice), footer: alertFooter(notice) }
}
