// What some kinds of alerts tell beside their message: one shape in the row, the events and the API.

import { type Static, Type } from 'typebox'

const time = (description?: string) =>
  Type.Optional(Type.String({ format: 'date-time', ...(description !== undefined && { description }) }))
const text = (description?: string) => Type.Optional(Type.String(description === undefined ? {} : { description }))
const count = (description?: string) => Type.Optional(Type.Integer(description === undefined ? {} : { description }))

export const alertDetails = Type.Object({
  offline_since: time(),
  faulted_since: time(),
  error_code: text('OCPP 1.6, 7.6'),
  vendor_error_code: text(),
  info: text(),
  offset_seconds: count('positive: the clock is behind'),
  refused_connections: count('at least so many within an hour'),
  certificate: Type.Optional(Type.Enum(['charge_point', 'listener', 'client_authority'])),
  expires_at: time(),
  free_bytes: count(),
  low_bytes: count(),
  failing_since: time(),
  guest_session_id: text(),
  session_id: text(),
  security_event: text('its type, as reported (security whitepaper, A04)'),
  tech_info: text(),
  reported_at: time("of a security event, the charge point's own"),
})
export type AlertDetails = Static<typeof alertDetails>
