// Why an onboarding cannot be completed.

import { defineError } from '../../../runtime/errors.js'

export const onboardingIncomplete = defineError('onboarding_incomplete', {
  status: 409,
  meaning: 'A step of the onboarding is still pending.',
})
