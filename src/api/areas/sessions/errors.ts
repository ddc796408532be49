// Errors of sessions that have ended, or are still running.

import { defineError } from '../../../runtime/errors.js'

export const sessionEnded = defineError('session_ended', {
  status: 409,
  meaning: 'The session has already ended.',
})

export const sessionNotEnded = defineError('session_not_ended', {
  status: 409,
  meaning: 'The session is still running.',
})
