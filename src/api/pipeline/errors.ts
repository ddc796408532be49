// The errors that every route can answer with.

import { defineError } from '../../runtime/errors.js'

export const unauthorized = defineError('unauthorized', {
  status: 401,
  meaning: 'The API key or access token is missing, unknown or revoked.',
})

export const tokenExpired = defineError('token_expired', {
  status: 401,
  meaning: 'The access token has expired: log in again.',
})

export const forbidden = defineError('forbidden', {
  status: 403,
  meaning: 'The key lacks the scope, or may not do this.',
})

export const methodNotAllowed = defineError('method_not_allowed', {
  status: 405,
  meaning: 'The path exists, but not with this method; `Allow` lists those that it has.',
})

export const idempotencyConflict = defineError('idempotency_conflict', {
  status: 409,
  meaning: 'The `Idempotency-Key` was used with another request.',
})

export const payloadTooLarge = defineError('payload_too_large', {
  status: 413,
  meaning: 'The body is larger than 1 MiB.',
})

export const unsupportedMediaType = defineError('unsupported_media_type', {
  status: 415,
  meaning: 'The body is not `application/json`.',
})

export const upgradeRequired = defineError('upgrade_required', {
  status: 426,
  meaning: 'This path takes WebSocket connections only.',
})

export const rateLimitExceeded = defineError('rate_limit_exceeded', {
  status: 429,
  temporary: true,
  meaning:
    'The quota of the key, or of all keys of its organization, is used up for this hour, or requests come faster than a key or an address may send them: wait `Retry-After` seconds.',
})

export const shuttingDown = defineError('shutting_down', {
  status: 503,
  temporary: true,
  meaning: 'The service is stopping: repeat after `Retry-After` seconds.',
})
