// SetChargingProfile: installs one charging profile, in a field whose name is a plural (OCPP 1.6, 5.16).

import { type Static, Type } from 'typebox'
import { defineMessage } from '../define-message.js'
import { chargingProfile, integer, statusOnly, strict } from './common.js'

export const setChargingProfile = defineMessage({
  action: 'SetChargingProfile',
  from: 'central-system',
  profile: 'SmartCharging',
  request: Type.Object({ connectorId: integer(0), csChargingProfiles: chargingProfile }, strict),
  response: statusOnly(['Accepted', 'Rejected', 'NotSupported']),
})

export type SetChargingProfileRequest = Static<typeof setChargingProfile.request>
export type SetChargingProfileResponse = Static<typeof setChargingProfile.response>
