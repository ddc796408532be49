// RemoteStartTransaction: asks to start charging, with a TxProfile that names no transaction if any (OCPP 1.6, 5.11).

import { type Static, Type } from 'typebox'
import { profileFaults } from './charging-profile-rules.js'
import { chargingProfile, idTag, integer, optional, statusOnly, strict } from './common.js'
import { defineMessage } from './define-message.js'

export const remoteStartTransaction = defineMessage({
  action: 'RemoteStartTransaction',
  from: 'central-system',
  profile: 'Core',
  request: Type.Object(
    { idTag: idTag(), connectorId: optional(integer(1)), chargingProfile: optional(chargingProfile) },
    strict,
  ),
  response: statusOnly(['Accepted', 'Rejected']),
  onlyWhenAccepted: true,
  // With its erratum.
  rules({ chargingProfile }) {
    if (chargingProfile === undefined) return []
    const at = '/chargingProfile'
    const faults = profileFaults(chargingProfile, at)
    if (chargingProfile.chargingProfilePurpose !== 'TxProfile')
      faults.push({ path: `${at}/chargingProfilePurpose`, message: 'must be TxProfile' })
    if (chargingProfile.transactionId !== undefined)
      faults.push({ path: `${at}/transactionId`, message: 'must be absent: the transaction does not exist yet' })
    return faults
  },
})

export type RemoteStartTransactionRequest = Static<typeof remoteStartTransaction.request>
export type RemoteStartTransactionResponse = Static<typeof remoteStartTransaction.response>
