// Why a webhook endpoint is refused.

import { defineError } from '../../runtime/errors.js'

export const tooManyWebhookEndpoints = defineError('too_many_webhook_endpoints', {
  status: 409,
  meaning: 'The organization has as many webhook endpoints as it may have. Delete one before you create another.',
})
