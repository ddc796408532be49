// What an installer has to have done before some operations: a route declares it with `requires`.

import { defineError } from '../../runtime/errors.js'
import type { Requirement } from '../pipeline/surface.js'
import type { InstallerPrincipal } from './installer-token.js'

const termsRequired = defineError('terms_required', {
  status: 403,
  meaning: 'The installer has not accepted the terms: `POST /api/v1/installer/accept-terms`.',
})

export const acceptedTerms: Requirement<InstallerPrincipal> = {
  error: termsRequired,
  message: 'accept the terms first, with POST /api/v1/installer/accept-terms',
  isMet: ({ installer }) => installer.terms !== undefined,
}
