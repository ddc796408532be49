// What a site owner's onboarding waits for.

import { defineError } from '../../../runtime/errors.js'

export const onboardingIncomplete = defineError('onboarding_incomplete', {
  status: 409,
  meaning: 'A step of the onboarding is still missing.',
})
