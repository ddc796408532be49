// ClearChargingProfile: removes charging profiles by id or by criteria; without any field, all of them (OCPP 1.6, 5.5).

import { type Static, Type } from 'typebox'
import { chargingProfilePurpose, integer, optional, statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const clearChargingProfile = defineMessage({
  action: 'ClearChargingProfile',
  from: 'central-system',
  profile: 'SmartCharging',
  request: Type.Object(
    {
      id: optional(integer()),
      connectorId: optional(integer(0)),
      chargingProfilePurpose: optional(chargingProfilePurpose),
      stackLevel: optional(integer(0)),
    },
    strict,
  ),
  response: statusOnly(['Accepted', 'Unknown']),
})

export type ClearChargingProfileRequest = Static<typeof clearChargingProfile.request>
export type ClearChargingProfileResponse = Static<typeof clearChargingProfile.response>
