// Events of commissioning.

import { Type } from 'typebox'
import { chargePointId, defineEvent, orNull, time } from './define-event.js'

const commissioning = Type.Object({
  charge_point_id: chargePointId(),
  session_id: Type.String({
    description: 'The id of the commissioning.',
    examples: ['com_01M7YW4E6G2T1X0Z8V7S5D6C4R'],
  }),
  status: Type.String({ description: 'running, completed or failed.', examples: ['completed'] }),
  result: orNull(Type.String({ description: 'passed or failed; null while it is running.', examples: ['passed'] })),
  started_at: time(),
  completed_at: orNull(time()),
})

export const commissioningStarted = defineEvent({
  name: 'commissioning.started',
  description: 'The commissioning of a charge point has started.',
  data: commissioning,
})

export const commissioningCompleted = defineEvent({
  name: 'commissioning.completed',
  description: 'The commissioning of a charge point has ended, and all its steps have passed.',
  data: commissioning,
})

export const commissioningFailed = defineEvent({
  name: 'commissioning.failed',
  description: 'A step in the commissioning of a charge point has failed.',
  data: commissioning,
})
