// SecurityEventNotification: something that security staff should know of (security extension, A04). Its type is any text.

import { type Static, Type } from 'typebox'
import { ciString, dateTime, emptyPayload, optional, strict } from './common.js'
import { defineMessage, receivedTime } from './define-message.js'

export const securityEventNotification = defineMessage({
  action: 'SecurityEventNotification',
  from: 'charge-point',
  profile: 'Security',
  section: '5.15',
  request: Type.Object({ type: ciString(50), timestamp: dateTime(), techInfo: optional(ciString(255)) }, strict),
  response: emptyPayload,
  requestRepairs: { type: { fallback: '' }, timestamp: { fallback: receivedTime } },
})

export type SecurityEventNotificationRequest = Static<typeof securityEventNotification.request>
export type SecurityEventNotificationResponse = Static<typeof securityEventNotification.response>
