// SignedUpdateFirmware: has signed firmware downloaded and installed (security extension, L01).

import { type Static, Type } from 'typebox'
import { ciString, dateTime, integer, optional, statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const signedUpdateFirmware = defineMessage({
  action: 'SignedUpdateFirmware',
  from: 'central-system',
  profile: 'Security',
  request: Type.Object(
    {
      requestId: integer(),
      retries: optional(integer()),
      retryInterval: optional(integer()),
      firmware: Type.Object(
        {
          location: ciString(512),
          retrieveDateTime: dateTime(),
          installDateTime: optional(dateTime()),
          signingCertificate: ciString(5_500),
          signature: ciString(800),
        },
        strict,
      ),
    },
    strict,
  ),
  response: statusOnly(['Accepted', 'Rejected', 'AcceptedCanceled', 'InvalidCertificate', 'RevokedCertificate']),
})

export type SignedUpdateFirmwareRequest = Static<typeof signedUpdateFirmware.request>
export type SignedUpdateFirmwareResponse = Static<typeof signedUpdateFirmware.response>
