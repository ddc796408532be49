// GetConfiguration: asks for configuration keys, without a list for all of them (OCPP 1.6, 5.8).

import { type Static, Type } from 'typebox'
import { ciString, optional, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const getConfiguration = defineMessage({
  action: 'GetConfiguration',
  from: 'central-system',
  profile: 'Core',
  request: Type.Object({ key: optional(Type.Array(ciString(50))) }, strict),
  response: Type.Object(
    {
      configurationKey: optional(
        Type.Array(
          Type.Object({ key: ciString(50), readonly: Type.Boolean(), value: optional(ciString(500)) }, strict),
        ),
      ),
      unknownKey: optional(Type.Array(ciString(50))),
    },
    strict,
  ),
  responseRepairs: { configurationKey: { dropItems: true }, unknownKey: { dropItems: true } },
})

export type GetConfigurationRequest = Static<typeof getConfiguration.request>
export type GetConfigurationResponse = Static<typeof getConfiguration.response>
