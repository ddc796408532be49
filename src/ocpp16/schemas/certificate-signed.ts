// CertificateSigned: brings the certificate that a charge point asked for (security extension, A02).

import { type Static, Type } from 'typebox'
import { ciString, statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const certificateSigned = defineMessage({
  action: 'CertificateSigned',
  from: 'central-system',
  profile: 'Security',
  request: Type.Object({ certificateChain: ciString(10_000) }, strict),
  response: statusOnly(['Accepted', 'Rejected']),
})

export type CertificateSignedRequest = Static<typeof certificateSigned.request>
export type CertificateSignedResponse = Static<typeof certificateSigned.response>
