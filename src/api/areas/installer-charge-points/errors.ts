// Why an installer cannot change or commission a charge point.

import { defineError } from '../../../runtime/errors.js'

export const chargePointClaimed = defineError('charge_point_claimed', {
  status: 409,
  meaning: 'An organization has claimed the charge point, and alone may change it now.',
})

export const notConnected = defineError('not_connected', {
  status: 409,
  meaning: 'The charge point is not connected, or its BootNotification was not accepted.',
})

/** Of a charge point of an installer, who is sent to where the reason is. */
export function installersNotConnected(chargePointId: string): Error {
  const path = `/api/v1/installer/charge-points/${chargePointId}/connection-status`
  return notConnected(
    `the charge point is not connected, or its BootNotification was not accepted: GET ${path} says which, and why`,
    { chargePointId },
  )
}

export const configurationIncomplete = defineError('configuration_incomplete', {
  status: 409,
  meaning: 'The configuration of the charge point was neither downloaded, nor customized, nor applied.',
})

export const alreadyCommissioned = defineError('already_commissioned', {
  status: 422,
  meaning: 'The charge point is commissioned already.',
})
