// What every OCPI answer is wrapped in (OCPI 2.2.1, 4.1.7).

import { type Static, type TSchema, Type } from 'typebox'
import { dateTime, optional, text } from './common.js'

const statusCode = () => Type.Integer({ minimum: 1000, maximum: 9999 })

/** An answer with data. */
export const envelopeOf = <Data extends TSchema>(data: Data) =>
  Type.Object({ data, status_code: statusCode(), status_message: optional(text(255)), timestamp: dateTime() })

/** An answer that says how it went, and no more. */
export const emptyEnvelopeSchema = Type.Object({
  status_code: statusCode(),
  status_message: optional(text(255)),
  timestamp: dateTime(),
})
export type EmptyEnvelope = Static<typeof emptyEnvelopeSchema>
export type Envelope<Data> = EmptyEnvelope & { data?: Data }

/** Of what partners answer: the code decides, and the data is read by the schema of what was asked for. */
export const receivedEnvelopeSchema = Type.Object({
  data: optional(Type.Unknown()),
  status_code: statusCode(),
  status_message: optional(Type.String()),
  timestamp: optional(Type.String()),
})
export type ReceivedEnvelope = Static<typeof receivedEnvelopeSchema>
