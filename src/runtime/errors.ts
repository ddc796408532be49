// Every error code that a caller can see, with its HTTP status, and the one constructor that makes such an error.

/** `temporary` tells a client that the same request may succeed later. */
export const errorCodes = {
  validation_error: { status: 400 },
  invalid_command: { status: 400 },
  missing_parameters: { status: 400 },
  too_many_targets: { status: 400 },
  unauthorized: { status: 401 },
  payment_declined: { status: 402 },
  forbidden: { status: 403 },
  not_found: { status: 404 },
  method_not_allowed: { status: 405 },
  timeout: { status: 408 },
  conflict: { status: 409 },
  last_key: { status: 409 },
  charge_point_exists: { status: 409 },
  id_tag_exists: { status: 409 },
  session_ended: { status: 409 },
  session_not_ended: { status: 409 },
  session_not_priced: { status: 409 },
  dispute_exists: { status: 409 },
  member_exists: { status: 409 },
  last_admin: { status: 409 },
  onboarding_incomplete: { status: 409 },
  tariff_in_use: { status: 409 },
  idempotency_conflict: { status: 409 },
  already_attached: { status: 409 },
  charge_point_mismatch: { status: 409 },
  session_completed: { status: 409 },
  event_expired: { status: 409 },
  replay_running: { status: 409 },
  webhook_endpoint_inactive: { status: 409 },
  too_many_webhook_endpoints: { status: 409 },
  cursor_expired: { status: 410 },
  payload_too_large: { status: 413 },
  unsupported_media_type: { status: 415 },
  charge_point_offline: { status: 422 },
  ocpp_rejected: { status: 422 },
  unsafe_url: { status: 422 },
  upgrade_required: { status: 426 },
  rate_limited: { status: 429, temporary: true },
  too_many_streams: { status: 429, temporary: true },
  rate_limit_exceeded: { status: 429, temporary: true },
  internal_error: { status: 500 },
  ocpp_error: { status: 502 },
  overloaded: { status: 503, temporary: true },
  shutting_down: { status: 503, temporary: true },
  storage_unavailable: { status: 503, temporary: true },
  payment_unavailable: { status: 503, temporary: true },
} as const satisfies Record<string, { status: number; temporary?: boolean }>

export type ErrorCode = keyof typeof errorCodes

/** One thing wrong with the input: `path` is a JSON pointer into the body, or the parameter's name. */
export interface ErrorDetail {
  readonly path: string
  readonly message: string
}

export interface ErrorExtras {
  readonly details?: readonly ErrorDetail[]
  readonly chargePointId?: string
  readonly commandId?: string
  readonly requiredScope?: string
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

export class AmpshardError extends Error {
  readonly code: ErrorCode
  readonly extras: ErrorExtras

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause })
    this.name = 'AmpshardError'
    this.code = code
    this.extras = extras
  }
}

export function fail(code: ErrorCode, message: string, extras: ErrorExtras = {}): never {
  throw new AmpshardError(code, message, extras)
}
