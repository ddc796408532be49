// Alerts: something that a person should look at. One that lasts is triggered once and resolved once.

import { Type } from 'typebox'
import { chargePointId, defineEvent, time } from './define-event.js'

const about = {
  alert: Type.String({ description: 'what is wrong, by name', examples: ['security_event'] }),
  message: Type.String({
    description: 'in words',
    examples: ['the charge point reports a security event: TamperDetectionActivated'],
  }),
  charge_point_id: Type.Optional(chargePointId()),
  guest_session_id: Type.Optional(Type.String({ examples: ['gst_01M7YW4E6GR2T1X0Z8V7S5D6C4'] })),
  free_bytes: Type.Optional(Type.Integer()),
  low_bytes: Type.Optional(Type.Integer()),
}

export const alertTriggered = defineEvent({
  name: 'alert.triggered',
  description: 'A monitoring alert has fired.',
  data: Type.Object({
    ...about,
    triggered_at: Type.Optional(time()),
    type: Type.Optional(Type.String({ description: 'of a security event (security whitepaper, A04)' })),
    tech_info: Type.Optional(Type.String()),
    timestamp: Type.Optional(time("of a security event, the charge point's own")),
  }),
})

export const alertResolved = defineEvent({
  name: 'alert.resolved',
  description: 'The cause of an alert is gone.',
  data: Type.Object({ ...about, triggered_at: time(), resolved_at: time() }),
})
