// Why a key cannot be revoked.

import { defineError } from '../../../runtime/errors.js'

export const lastKey = defineError('last_key', {
  status: 409,
  meaning: 'The last key that may create keys cannot be revoked.',
})
