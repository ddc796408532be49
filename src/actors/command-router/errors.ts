// What can become of a command that is not carried out.

import { defineError, type ErrorKind, timeout } from '../../runtime/errors.js'

export const chargePointOffline = defineError('charge_point_offline', {
  status: 422,
  meaning: 'The charge point is not connected.',
})

export const chargePointNotAccepted = defineError('charge_point_not_accepted', {
  status: 422,
  meaning: 'The command was not sent: the charge point is Pending or Rejected, or has not booted yet.',
})

export const managedBySite = defineError('managed_by_site', {
  status: 409,
  meaning:
    'The command was not sent, because the site of the charge point shares its power by limits of its own: change the configuration of the site, limit the charge point as a whole (connector 0), or take it out of the site.',
})

export const ocppRejected = defineError('ocpp_rejected', {
  status: 422,
  meaning: 'The charge point rejected the command.',
})

export const rateLimited = defineError('rate_limited', {
  status: 429,
  temporary: true,
  meaning:
    'Too many commands for this charge point, or too many commands or mails of this organization: wait, then repeat.',
})

export const ocppError = defineError('ocpp_error', {
  status: 502,
  meaning: 'The charge point answered with an OCPP error.',
})

/** Why a call to a charge point has no answer, or none that can be used; `ocppRejected` is for callers to whom a refusal is an error. */
export const callErrors: readonly ErrorKind[] = [
  timeout,
  chargePointOffline,
  chargePointNotAccepted,
  managedBySite,
  rateLimited,
  ocppError,
]
