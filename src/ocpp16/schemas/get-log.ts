// GetLog: has a log uploaded (security extension, N01).

import { type Static, Type } from 'typebox'
import { ciString, dateTime, integer, optional, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const getLog = defineMessage({
  action: 'GetLog',
  from: 'central-system',
  profile: 'Security',
  request: Type.Object(
    {
      logType: Type.Enum(['DiagnosticsLog', 'SecurityLog']),
      requestId: integer(),
      retries: optional(integer()),
      retryInterval: optional(integer()),
      log: Type.Object(
        { remoteLocation: ciString(512), oldestTimestamp: optional(dateTime()), latestTimestamp: optional(dateTime()) },
        strict,
      ),
    },
    strict,
  ),
  response: Type.Object(
    { status: Type.Enum(['Accepted', 'Rejected', 'AcceptedCanceled']), filename: optional(ciString(255)) },
    strict,
  ),
})

export type GetLogRequest = Static<typeof getLog.request>
export type GetLogResponse = Static<typeof getLog.response>
