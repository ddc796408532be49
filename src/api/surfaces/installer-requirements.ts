// What an installer has to have done before some operations: a route declares it with `requires`.

import { verificationStatusOf } from '../../records/installer.js'
import { defineError } from '../../runtime/errors.js'
import type { Requirement } from '../pipeline/surface.js'
import type { InstallerPrincipal } from './installer-token.js'

const termsRequired = defineError('terms_required', {
  status: 403,
  meaning: 'The installer has not accepted the terms: `POST /api/v1/installer/accept-terms`.',
})

const identityRequired = defineError('identity_required', {
  status: 403,
  meaning: 'The identity of the installer has not been approved: `POST /api/v1/installer/verify-identity`.',
})

/** Where the installation requires it. */
export const verifiedIdentity: Requirement<InstallerPrincipal> = {
  error: identityRequired,
  message: 'your identity has to be verified first: submit documents with POST /api/v1/installer/verify-identity',
  isMet: ({ installer }, _view, { requireIdentity }) =>
    !requireIdentity || verificationStatusOf(installer) === 'approved',
}

export const acceptedTerms: Requirement<InstallerPrincipal> = {
  error: termsRequired,
  message: 'accept the terms first, with POST /api/v1/installer/accept-terms',
  isMet: ({ installer }) => installer.terms !== undefined,
}
