// Events of disputes about the cost of a session.

import { Type } from 'typebox'
import { chargePointId, currency, defineEvent, orNull, time } from './define-event.js'

const dispute = {
  dispute_id: Type.String({ examples: ['dsp_01M7YW4E6G5D6C4R2T1X0Z8V7S'] }),
  session_id: Type.String({ examples: ['ses_01M7YW4E6GQ3M8V7S5D6C4R2T1'] }),
  charge_point_id: chargePointId(),
  id_tag: Type.String({ examples: ['04A1B2C3D4E5F6'] }),
  status: Type.String({ description: 'open, under_review, accepted or rejected.', examples: ['open'] }),
  reason: Type.String({
    description: 'The reason in the words of the driver.',
    examples: ['I was charged for idle time.'],
  }),
  expected_cost: orNull(Type.Number({ description: 'What the driver expected to pay.', examples: [4.5] })),
  disputed_cost: Type.Number({ description: 'What the session cost when it was disputed.', examples: [7.43] }),
  accepted_amount: orNull(Type.Number({ description: 'The amount that the operator agreed to.', examples: [4.5] })),
  cost: orNull(Type.Number({ description: 'What the session costs now, including tax.', examples: [7.43] })),
  currency: currency(),
  note: orNull(Type.String({ description: 'The answer of the operator.', examples: ['The charger had failed.'] })),
  created_at: time(),
}

export const disputeOpened = defineEvent({
  name: 'dispute.opened',
  description: 'A driver has disputed the cost of a session.',
  data: Type.Object(dispute),
})

export const disputeUpdated = defineEvent({
  name: 'dispute.updated',
  description:
    'The operator has answered a dispute. If the dispute was accepted, the cost of the session has been corrected.',
  data: Type.Object(dispute),
})
