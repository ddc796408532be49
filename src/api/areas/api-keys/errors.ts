// Why a key cannot be revoked.

import { defineError } from '../../../runtime/errors.js'

export const lastKey = defineError('last_key', {
  status: 409,
  meaning:
    'No other key could create keys with the same scopes after this, so that the organization would be locked out.',
})
