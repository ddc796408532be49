// Why a commissioning cannot be begun, or changed.

import { defineError } from '../../../runtime/errors.js'

export const sessionAlreadyRunning = defineError('session_already_running', {
  status: 409,
  meaning: 'A commissioning of the charge point is running, or paused.',
})

export const commissioningNotRunning = defineError('commissioning_not_running', {
  status: 409,
  meaning: 'No commissioning of the charge point is running.',
})

export const commissioningNotPaused = defineError('commissioning_not_paused', {
  status: 409,
  meaning: 'No commissioning of the charge point is paused.',
})

export const commissioningNotStarted = defineError('commissioning_not_started', {
  status: 409,
  meaning: 'No commissioning of the charge point was started.',
})

export const commissioningNotEnded = defineError('commissioning_not_ended', {
  status: 409,
  meaning: 'The commissioning of the charge point is running, or paused: there is no report of it yet.',
})

export const issueClosed = defineError('issue_closed', {
  status: 409,
  meaning: 'The issue is closed already.',
})
