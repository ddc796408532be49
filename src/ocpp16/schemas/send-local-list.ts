// SendLocalList: replaces or changes the local list; an entry without idTagInfo is a removal (OCPP 1.6, 5.15).

import { type Static, Type } from 'typebox'
import { idTag, idTagInfo, integer, optional, statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

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
  rules({ updateType, localAuthorizationList = [] }) {
    const seen = new Set<string>()
    return localAuthorizationList.flatMap(({ idTag, idTagInfo }, index) => {
      const path = `/localAuthorizationList/${index}`
      const folded = idTag.toUpperCase()
      const isRepeated = seen.has(folded)
      seen.add(folded)
      return [
        ...(isRepeated ? [{ path: `${path}/idTag`, message: 'is already in the list' }] : []),
        ...(updateType === 'Full' && idTagInfo === undefined
          ? [{ path: `${path}/idTagInfo`, message: 'is required in a Full update' }]
          : []),
      ]
    })
  },
})

export type SendLocalListRequest = Static<typeof sendLocalList.request>
export type SendLocalListResponse = Static<typeof sendLocalList.response>
