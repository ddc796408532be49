// DiagnosticsStatusNotification: how an upload of diagnostics is going (OCPP 1.6, 4.4).

import { type Static, Type } from 'typebox'
import { emptyPayload, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const diagnosticsStatusNotification = defineMessage({
  action: 'DiagnosticsStatusNotification',
  from: 'charge-point',
  profile: 'FirmwareManagement',
  section: '6.17',
  request: Type.Object({ status: Type.Enum(['Idle', 'Uploaded', 'UploadFailed', 'Uploading']) }, strict),
  response: emptyPayload,
  requestRepairs: { status: { aliases: { uploadfailure: 'UploadFailed' } } },
})

export type DiagnosticsStatusNotificationRequest = Static<typeof diagnosticsStatusNotification.request>
export type DiagnosticsStatusNotificationResponse = Static<typeof diagnosticsStatusNotification.response>
