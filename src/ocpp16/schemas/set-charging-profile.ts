// SetChargingProfile: installs one charging profile, in a field whose name is a plural (OCPP 1.6, 5.16).

import { type Static, Type } from 'typebox'
import { profileFaults } from './charging-profile-rules.js'
import { chargingProfile, integer, statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const setChargingProfile = defineMessage({
  action: 'SetChargingProfile',
  from: 'central-system',
  profile: 'SmartCharging',
  request: Type.Object({ connectorId: integer(0), csChargingProfiles: chargingProfile }, strict),
  response: statusOnly(['Accepted', 'Rejected', 'NotSupported']),
  rules({ connectorId, csChargingProfiles: profile }) {
    const at = '/csChargingProfiles'
    const faults = profileFaults(profile, at)
    const { chargingProfilePurpose: purpose } = profile
    if (purpose === 'ChargePointMaxProfile' && connectorId !== 0)
      faults.push({ path: '/connectorId', message: 'must be 0 for a ChargePointMaxProfile' })
    if (purpose === 'TxProfile' && connectorId === 0)
      faults.push({ path: '/connectorId', message: 'must not be 0 for a TxProfile' })
    if (purpose !== 'TxProfile' && profile.transactionId !== undefined)
      faults.push({ path: `${at}/transactionId`, message: 'is allowed only in a TxProfile' })
    return faults
  },
})

export type SetChargingProfileRequest = Static<typeof setChargingProfile.request>
export type SetChargingProfileResponse = Static<typeof setChargingProfile.response>
