// SendLocalList: replaces or changes the local list; an entry without idTagInfo is a removal (OCPP 1.6, 5.15).

import { type Static, Type } from 'typebox'
import { defineMessage } from '../define-message.js'
import { idTag, idTagInfo, integer, optional, statusOnly, strict } from './common.js'

export const sendLocalList = defineMessage({
  action: 'SendLocalList',
  from: 'central-system',
  profile: 'LocalAuthListManagement',
  request: Type.Object(
    {
      listVersion: integer(1),
      updateType: Type.Enum(['Differential', 'Full']),
      localAuthorizationList: optional(
        Type.Array(Type.Object({ idTag: idTag(), idTagInfo: optional(idTagInfo) }, strict)),
      ),
    },
    strict,
  ),
  response: statusOnly(['Accepted', 'Failed', 'NotSupported', 'VersionMismatch']),
})

export type SendLocalListRequest = Static<typeof sendLocalList.request>
export type SendLocalListResponse = Static<typeof sendLocalList.response>
