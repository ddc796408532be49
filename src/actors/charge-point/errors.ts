// What a charge point's actor refuses: its sessions' disputes, and stops that no session explains.

import { defineError } from '../../runtime/errors.js'

export const sessionNotPriced = defineError('session_not_priced', {
  status: 409,
  meaning: 'The session has no cost, because no tariff applied at its start.',
})

export const disputeExists = defineError('dispute_exists', {
  status: 409,
  meaning: 'The session already has a dispute that is not decided.',
})

export const disputeDecided = defineError('dispute_decided', {
  status: 409,
  meaning: 'The dispute has been accepted or rejected, which is final.',
})

export const alreadyAttached = defineError('already_attached', {
  status: 409,
  meaning: 'The transaction is already attached to a session.',
})

export const chargePointMismatch = defineError('charge_point_mismatch', {
  status: 409,
  meaning: 'The session belongs to another charge point.',
})

export const sessionCompleted = defineError('session_completed', {
  status: 409,
  meaning: 'The charge point has ended the session itself.',
})
