// Heartbeat: a sign of life, answered with the time (OCPP 1.6, 4.6).

import { type Static, Type } from 'typebox'
import { dateTime, emptyPayload, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const heartbeat = defineMessage({
  action: 'Heartbeat',
  from: 'charge-point',
  profile: 'Core',
  section: '6.29',
  request: emptyPayload,
  response: Type.Object({ currentTime: dateTime() }, strict),
})

export type HeartbeatRequest = Static<typeof heartbeat.request>
export type HeartbeatResponse = Static<typeof heartbeat.response>
