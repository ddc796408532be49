// InstallCertificate: adds a trusted root (security extension, M05).

import { type Static, Type } from 'typebox'
import { certificateUse, ciString, statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const installedCertificateCharacters = 5_500

export const installCertificate = defineMessage({
  action: 'InstallCertificate',
  from: 'central-system',
  profile: 'Security',
  request: Type.Object(
    { certificateType: certificateUse, certificate: ciString(installedCertificateCharacters) },
    strict,
  ),
  response: statusOnly(['Accepted', 'Failed', 'Rejected']),
})

export type InstallCertificateRequest = Static<typeof installCertificate.request>
export type InstallCertificateResponse = Static<typeof installCertificate.response>
