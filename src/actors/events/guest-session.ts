// Events of guest sessions. Without the guest's tag and token: whoever reads events may not charge with them.

import { Type } from 'typebox'
import { chargePointId, connectorId, currency, defineEvent, orNull } from './define-event.js'

const guestSession = Type.Object({
  guest_session_id: Type.String({ examples: ['gst_01M7YW4E6GR2T1X0Z8V7S5D6C4'] }),
  charge_point_id: chargePointId(),
  connector_id: connectorId(),
  status: Type.String({ description: 'authorizing, charging or stopped', examples: ['stopped'] }),
  session_id: orNull(Type.String({ examples: ['ses_01M7YW4E6GQ3M8V7S5D6C4R2T1'] })),
  final_cost: orNull(Type.Number({ examples: [7.43] })),
  currency: currency(),
  payment_status: Type.String({ examples: ['captured'] }),
  end: orNull(Type.String({ description: 'why it ended' })),
})

export const guestSessionAuthorized = defineEvent({
  name: 'guest_session.authorized',
  description: "A guest's payment method has been accepted and the charge point asked to start.",
  data: guestSession,
})

export const guestSessionStarted = defineEvent({
  name: 'guest_session.started',
  description: 'A guest has begun to charge.',
  data: guestSession,
})

export const guestSessionStopped = defineEvent({
  name: 'guest_session.stopped',
  description: "A guest's charge has ended and its cost is known.",
  data: guestSession,
})

export const guestSessionCaptured = defineEvent({
  name: 'guest_session.captured',
  description: "A guest's payment has been captured.",
  data: guestSession,
})

export const guestSessionReleased = defineEvent({
  name: 'guest_session.released',
  description: 'What was set aside for a guest has been let go of.',
  data: guestSession,
})

export const guestSessionPaymentFailed = defineEvent({
  name: 'guest_session.payment_failed',
  description: "A guest's payment could not be captured or released.",
  data: guestSession,
})
