// SignedFirmwareStatusNotification: how an update of signed firmware is going (security extension, L01).

import { type Static, Type } from 'typebox'
import { emptyPayload, integer, optional, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const signedFirmwareStatusNotification = defineMessage({
  action: 'SignedFirmwareStatusNotification',
  from: 'charge-point',
  profile: 'Security',
  section: '5.19',
  request: Type.Object(
    {
      status: Type.Enum([
        'Downloaded',
        'DownloadFailed',
        'Downloading',
        'DownloadScheduled',
        'DownloadPaused',
        'Idle',
        'InstallationFailed',
        'Installing',
        'Installed',
        'InstallRebooting',
        'InstallScheduled',
        'InstallVerificationFailed',
        'InvalidSignature',
        'SignatureVerified',
      ]),
      requestId: optional(integer()),
    },
    strict,
  ),
  response: emptyPayload,
})

export type SignedFirmwareStatusNotificationRequest = Static<typeof signedFirmwareStatusNotification.request>
export type SignedFirmwareStatusNotificationResponse = Static<typeof signedFirmwareStatusNotification.response>
