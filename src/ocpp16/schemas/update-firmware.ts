// UpdateFirmware: has firmware downloaded and installed (OCPP 1.6, 5.19).

import { type Static, Type } from 'typebox'
import { dateTime, emptyPayload, integer, optional, strict, uri } from './common.js'
import { defineMessage } from './define-message.js'

export const updateFirmware = defineMessage({
  action: 'UpdateFirmware',
  from: 'central-system',
  profile: 'FirmwareManagement',
  request: Type.Object(
    { location: uri(), retrieveDate: dateTime(), retries: optional(integer()), retryInterval: optional(integer()) },
    strict,
  ),
  response: emptyPayload,
})

export type UpdateFirmwareRequest = Static<typeof updateFirmware.request>
export type UpdateFirmwareResponse = Static<typeof updateFirmware.response>
