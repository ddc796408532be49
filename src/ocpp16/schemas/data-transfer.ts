// DataTransfer: what the standard has no message for, in either direction (OCPP 1.6, 4.3 and 5.6).

import { type Static, Type } from 'typebox'
import { ciString, optional, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const dataTransfer = defineMessage({
  action: 'DataTransfer',
  from: 'both',
  profile: 'Core',
  section: '6.15',
  request: Type.Object(
    { vendorId: ciString(255), messageId: optional(ciString(50)), data: optional(Type.String()) },
    strict,
  ),
  response: Type.Object(
    {
      status: Type.Enum(['Accepted', 'Rejected', 'UnknownMessageId', 'UnknownVendorId']),
      data: optional(Type.String()),
    },
    strict,
  ),
  requestRepairs: { vendorId: { fallback: '' }, data: { jsonText: true } },
  responseRepairs: { data: { jsonText: true } },
})

export type DataTransferRequest = Static<typeof dataTransfer.request>
export type DataTransferResponse = Static<typeof dataTransfer.response>
