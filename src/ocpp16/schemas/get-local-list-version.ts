// GetLocalListVersion: asks for the version of the local list: 0 is an empty one, -1 none at all (OCPP 1.6, 5.10).

import { type Static, Type } from 'typebox'
import { emptyPayload, integer, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const getLocalListVersion = defineMessage({
  action: 'GetLocalListVersion',
  from: 'central-system',
  profile: 'LocalAuthListManagement',
  request: emptyPayload,
  response: Type.Object({ listVersion: integer() }, strict),
})

export type GetLocalListVersionRequest = Static<typeof getLocalListVersion.request>
export type GetLocalListVersionResponse = Static<typeof getLocalListVersion.response>
