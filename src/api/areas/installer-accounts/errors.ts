// Why somebody is not let in, or has no account.

import { defineError } from '../../../runtime/errors.js'

export const invalidCredentials = defineError('invalid_credentials', {
  status: 401,
  meaning:
    'What somebody signs in with is wrong or is over: an email address or a password, or at the console a key, a code, a passkey or a choice.',
})

export const accountPending = defineError('account_pending', {
  status: 403,
  meaning: 'The email address of the account has not been confirmed yet.',
})

export const emailTaken = defineError('email_taken', {
  status: 409,
  meaning: 'There is an account with this email address.',
})

export const weakPassword = defineError('weak_password', {
  status: 422,
  meaning: 'The password is too weak: `details` names what it lacks.',
})
