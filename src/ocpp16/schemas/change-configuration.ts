// ChangeConfiguration: sets one configuration key; its value is always text (OCPP 1.6, 5.3).

import { type Static, Type } from 'typebox'
import { ciString, statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const changeConfiguration = defineMessage({
  action: 'ChangeConfiguration',
  from: 'central-system',
  profile: 'Core',
  request: Type.Object({ key: ciString(50), value: ciString(500) }, strict),
  response: statusOnly(['Accepted', 'Rejected', 'RebootRequired', 'NotSupported']),
})

export type ChangeConfigurationRequest = Static<typeof changeConfiguration.request>
export type ChangeConfigurationResponse = Static<typeof changeConfiguration.response>
