// FirmwareStatusNotification: how an update of the firmware is going (OCPP 1.6, 4.5).

import { type Static, Type } from 'typebox'
import { emptyPayload, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const firmwareStatusNotification = defineMessage({
  action: 'FirmwareStatusNotification',
  from: 'charge-point',
  profile: 'FirmwareManagement',
  section: '6.19',
  request: Type.Object(
    {
      status: Type.Enum([
        'Downloaded',
        'DownloadFailed',
        'Downloading',
        'Idle',
        'InstallationFailed',
        'Installing',
        'Installed',
      ]),
    },
    strict,
  ),
  response: emptyPayload,
})

export type FirmwareStatusNotificationRequest = Static<typeof firmwareStatusNotification.request>
export type FirmwareStatusNotificationResponse = Static<typeof firmwareStatusNotification.response>
