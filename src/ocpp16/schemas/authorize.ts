// Authorize: asks whether the driver of an id tag may charge (OCPP 1.6, 4.1).

import { type Static, Type } from 'typebox'
import { idTag, idTagInfo, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const authorize = defineMessage({
  action: 'Authorize',
  from: 'charge-point',
  profile: 'Core',
  section: '6.1',
  request: Type.Object({ idTag: idTag() }, strict),
  response: Type.Object({ idTagInfo }, strict),
  requestRepairs: { idTag: { fallback: '', names: true } },
})

export type AuthorizeRequest = Static<typeof authorize.request>
export type AuthorizeResponse = Static<typeof authorize.response>
