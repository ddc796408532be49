// Whether this installation lets people sign up by themselves, and how.

import { defineError } from '../../../runtime/errors.js'
import type { Requirement } from '../../pipeline/surface.js'

const signupClosed = defineError('signup_closed', {
  status: 403,
  meaning: 'This installation does not let installers sign up in this way.',
})

export const opensAtOnce: Requirement<undefined> = {
  error: signupClosed,
  message:
    'nobody can sign up here without confirming the email address: POST /api/v1/installer/signup-with-confirmation',
  isMet: (_, __, { installerSignup }) => installerSignup === 'open',
}

export const opensConfirmed: Requirement<undefined> = {
  error: signupClosed,
  message: 'nobody can sign up here: ask the operator of the installation',
  isMet: (_, __, { installerSignup }) => installerSignup !== 'closed',
}
