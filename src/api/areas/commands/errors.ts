// Requests that are no commands.

import { defineError } from '../../../runtime/errors.js'

export const invalidCommand = defineError('invalid_command', {
  status: 400,
  meaning: 'There is no command of this name.',
})

export const missingParameters = defineError('missing_parameters', {
  status: 400,
  meaning: 'A parameter that the command needs is missing.',
})

export const tooManyTargets = defineError('too_many_targets', {
  status: 400,
  meaning: 'The list names more charge points than one request may.',
})
