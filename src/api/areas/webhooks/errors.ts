// Why a webhook endpoint or a replay is refused.

import { defineError } from '../../../runtime/errors.js'

export const eventExpired = defineError('event_expired', {
  status: 409,
  meaning: 'The event is no longer stored, or it was a test, which is never stored.',
})

export const replayRunning = defineError('replay_running', {
  status: 409,
  meaning: 'A replay of this endpoint is still running. Wait until it has ended.',
})

export const webhookEndpointInactive = defineError('webhook_endpoint_inactive', {
  status: 409,
  meaning: 'The webhook endpoint is paused or disabled. Switch it on first.',
})

export const unsafeUrl = defineError('unsafe_url', {
  status: 422,
  meaning: 'The address does not begin with https, or leads to a private network.',
})
