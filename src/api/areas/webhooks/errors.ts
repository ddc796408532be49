// What a webhook endpoint or a replay is refused for.

import { defineError } from '../../../runtime/errors.js'

export const eventExpired = defineError('event_expired', {
  status: 409,
  meaning: 'The event is older than events are kept, or was a test, which is never kept.',
})

export const replayRunning = defineError('replay_running', {
  status: 409,
  meaning: 'A replay of this endpoint is still running.',
})

export const webhookEndpointInactive = defineError('webhook_endpoint_inactive', {
  status: 409,
  meaning: 'The webhook endpoint is not active.',
})

export const unsafeUrl = defineError('unsafe_url', {
  status: 422,
  meaning: 'The address is not https, or leads to a private network.',
})
