// Events of webhook endpoints themselves.

import { Type } from 'typebox'
import { defineEvent, time } from './define-event.js'

export const webhookTest = defineEvent({
  name: 'webhook.test',
  description: 'A test of a webhook endpoint was requested. Sent to that endpoint alone.',
  data: Type.Object({ endpoint_id: Type.String(), message: Type.String(), sent_at: time() }),
})
