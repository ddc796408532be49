// Why a request is not a command.

import { defineError } from '../../../runtime/errors.js'

export const invalidCommand = defineError('invalid_command', {
  status: 400,
  meaning: 'No command has this name.',
})

export const missingParameters = defineError('missing_parameters', {
  status: 400,
  meaning: 'A required parameter of the command is missing.',
})

export const tooManyTargets = defineError('too_many_targets', {
  status: 400,
  meaning: 'The request names too many charge points.',
})
