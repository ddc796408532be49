// Why a configuration cannot be applied, and why a template cannot be deleted.

import { defineError } from '../../../runtime/errors.js'

export const configurationRunning = defineError('configuration_running', {
  status: 409,
  meaning: 'A configuration is being applied to the charge point.',
})

export const configurationNotRunning = defineError('configuration_not_running', {
  status: 409,
  meaning: 'No configuration is being applied to the charge point.',
})

export const configurationEmpty = defineError('configuration_empty', {
  status: 409,
  meaning: 'No template matches the charge point, and no key is set for it: there is nothing to apply.',
})

export const templateInUse = defineError('template_in_use', {
  status: 409,
  meaning: 'The configuration of a charge point names the template.',
})
