// DeleteCertificate: removes a trusted root (security extension, M04).

import { type Static, Type } from 'typebox'
import { certificateHashData, statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const deleteCertificate = defineMessage({
  action: 'DeleteCertificate',
  from: 'central-system',
  profile: 'Security',
  request: Type.Object({ certificateHashData }, strict),
  response: statusOnly(['Accepted', 'Failed', 'NotFound']),
  responseRepairs: { status: { aliases: { success: 'Accepted' } } },
})

export type DeleteCertificateRequest = Static<typeof deleteCertificate.request>
export type DeleteCertificateResponse = Static<typeof deleteCertificate.response>
