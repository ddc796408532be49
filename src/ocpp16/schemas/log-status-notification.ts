// LogStatusNotification: how an upload of a log is going (security extension, N01).

import { type Static, Type } from 'typebox'
import { emptyPayload, integer, optional, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const logStatusNotification = defineMessage({
  action: 'LogStatusNotification',
  from: 'charge-point',
  profile: 'Security',
  section: '5.13',
  request: Type.Object(
    {
      status: Type.Enum([
        'BadMessage',
        'Idle',
        'NotSupportedOperation',
        'PermissionDenied',
        'Uploaded',
        'UploadFailure',
        'Uploading',
      ]),
      requestId: optional(integer()),
    },
    strict,
  ),
  response: emptyPayload,
  requestRepairs: {
    // The prose of the standard says so.
    status: { aliases: { uploadfailed: 'UploadFailure' } },
  },
})

export type LogStatusNotificationRequest = Static<typeof logStatusNotification.request>
export type LogStatusNotificationResponse = Static<typeof logStatusNotification.response>
