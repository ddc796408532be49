// Why a certificate is not issued or revoked.

import { defineError } from '../../../runtime/errors.js'

export const noAuthority = defineError('no_authority', {
  status: 409,
  meaning:
    'The service cannot issue certificates: it has the certificate of your authority but not its key, or that certificate ends too soon.',
})

export const tooManyCertificates = defineError('too_many_certificates', {
  status: 409,
  meaning:
    'As many certificates of the charge point as may be are good. Revoke those that nobody uses, or let the charge point connect with the newest one, which ends older ones.',
})

export const tooManyRevoked = defineError('too_many_revoked_certificates', {
  status: 409,
  meaning:
    'So many certificates of the charge point have been revoked one by one that only all of them together can be revoked.',
})
