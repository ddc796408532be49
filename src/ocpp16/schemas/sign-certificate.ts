// SignCertificate: a charge point asks for a certificate (security extension, A02).

import { type Static, Type } from 'typebox'
import { ciString, statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const signCertificate = defineMessage({
  action: 'SignCertificate',
  from: 'charge-point',
  profile: 'Security',
  section: '5.17',
  request: Type.Object({ csr: ciString(5_500) }, strict),
  response: statusOnly(['Accepted', 'Rejected']),
})

export type SignCertificateRequest = Static<typeof signCertificate.request>
export type SignCertificateResponse = Static<typeof signCertificate.response>
