// GetDiagnostics: has diagnostics uploaded to a directory (OCPP 1.6, 5.9).

import { type Static, Type } from 'typebox'
import { ciString, dateTime, integer, optional, strict, uri } from './common.js'
import { defineMessage } from './define-message.js'

export const getDiagnostics = defineMessage({
  action: 'GetDiagnostics',
  from: 'central-system',
  profile: 'FirmwareManagement',
  request: Type.Object(
    {
      location: uri(),
      retries: optional(integer()),
      retryInterval: optional(integer()),
      startTime: optional(dateTime()),
      stopTime: optional(dateTime()),
    },
    strict,
  ),
  response: Type.Object({ fileName: optional(ciString(255)) }, strict),
  rules({ startTime, stopTime }) {
    if (startTime === undefined || stopTime === undefined || Date.parse(startTime) < Date.parse(stopTime)) return []
    return [{ path: '/stopTime', message: 'must be later than startTime' }]
  },
})

export type GetDiagnosticsRequest = Static<typeof getDiagnostics.request>
export type GetDiagnosticsResponse = Static<typeof getDiagnostics.response>
