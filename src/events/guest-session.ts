// Events of guest sessions. Without the guest's tag and token: whoever reads events may not charge with them.

import { Type } from 'typebox'
import { chargePointId, connectorId, currency, defineEvent, orNull } from './define-event.js'

const guestSession = Type.Object({
  guest_session_id: Type.String({ examples: ['gst_01M7YW4E6GR2T1X0Z8V7S5D6C4'] }),
  charge_point_id: chargePointId(),
  connector_id: connectorId(),
  status: Type.String({ description: 'authorizing, charging or stopped.', examples: ['stopped'] }),
  session_id: orNull(Type.String({ examples: ['ses_01M7YW4E6GQ3M8V7S5D6C4R2T1'] })),
  final_cost: orNull(Type.Number({ examples: [7.43] })),
  currency: currency(),
  payment_status: Type.String({
    description: '`declined` if the payment was not authorized: then nothing was charged.',
    examples: ['captured'],
  }),
  end: orNull(
    Type.String({
      description: 'Why it ended, for example `declined`, `provider_unavailable` or `not_accepted` if it never began.',
    }),
  ),
  authorized_amount: Type.Number({ examples: [50] }),
  captured_amount: orNull(
    Type.Number({ description: 'The amount that was captured; null if nothing was captured.', examples: [7.43] }),
  ),
  refunded_amount: Type.Number({ examples: [0] }),
  refund_pending_amount: Type.Number({
    description: 'The amount that the provider has been asked to refund.',
    examples: [0],
  }),
  owed_amount: Type.Number({
    description: 'What the guest has paid in excess of the cost and the provider has refused to refund.',
    examples: [0],
  }),
  written_off_amount: orNull(
    Type.Number({
      description: 'The part of the cost that will not be paid; null until the payment is settled.',
      examples: [0],
    }),
  ),
})

export const guestSessionAuthorized = defineEvent({
  name: 'guest_session.authorized',
  description: "A guest's payment method has been accepted, and the charge point has been asked to start.",
  data: guestSession,
})

export const guestSessionStarted = defineEvent({
  name: 'guest_session.started',
  description: 'A guest has begun to charge.',
  data: guestSession,
})

export const guestSessionStopped = defineEvent({
  name: 'guest_session.stopped',
  description:
    'A guest session has ended. Either the charge has ended and its cost is known, or it never began and costs nothing: `end` gives the reason, such as a declined payment.',
  data: guestSession,
})

export const guestSessionCaptured = defineEvent({
  name: 'guest_session.captured',
  description: "A guest's payment has been captured.",
  data: guestSession,
})

export const guestSessionReleased = defineEvent({
  name: 'guest_session.released',
  description: 'The amount that was authorized for a guest has been released.',
  data: guestSession,
})

export const guestSessionLimitReached = defineEvent({
  name: 'guest_session.limit_reached',
  description:
    "A guest's charge has used up the authorized amount, or will use it up within a minute. The charge point is asked to stop the charge.",
  data: guestSession,
})

export const guestSessionCorrected = defineEvent({
  name: 'guest_session.corrected',
  description: "The cost of a guest's charge has been corrected after its end.",
  data: guestSession,
})

export const guestSessionRefunded = defineEvent({
  name: 'guest_session.refunded',
  description: 'The provider has refunded what a guest had paid in excess of the corrected cost.',
  data: guestSession,
})

export const guestSessionPaymentFailed = defineEvent({
  name: 'guest_session.payment_failed',
  description: "A guest's payment could not be captured, released or refunded.",
  data: guestSession,
})
