// The mail about an alert that was resolved.

import { alertFooter, alertParts } from './alert.js'
import type { MailText } from './layout.js'
import type { ContentOf } from './template.js'

export function alertResolved(notice: ContentOf<'alert-resolved'>): MailText {
  return { subject: `Resolved: ${notice.subject}`, parts: alertParts(notice, true), footer: alertFooter(notice) }
}
