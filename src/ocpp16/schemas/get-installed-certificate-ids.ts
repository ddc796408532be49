// GetInstalledCertificateIds: asks which roots are trusted (security extension, M03).

import { type Static, Type } from 'typebox'
import { certificateHashData, certificateUse, optional, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const getInstalledCertificateIds = defineMessage({
  action: 'GetInstalledCertificateIds',
  from: 'central-system',
  profile: 'Security',
  request: Type.Object({ certificateType: certificateUse }, strict),
  response: Type.Object(
    { status: Type.Enum(['Accepted', 'NotFound']), certificateHashData: optional(Type.Array(certificateHashData)) },
    strict,
  ),
  responseRepairs: { certificateHashData: { dropItems: true } },
})

export type GetInstalledCertificateIdsRequest = Static<typeof getInstalledCertificateIds.request>
export type GetInstalledCertificateIdsResponse = Static<typeof getInstalledCertificateIds.response>
