// Every error code that a caller can see, with its HTTP status, and the one constructor that makes such an error.

/** `temporary` says that the same request may succeed later; `meaning` is what the reference says of the code. */
export const errorCodes = {
  validation_error: {
    status: 400,
    meaning: 'The request does not fit its schema or a rule; `details` names each fault.',
  },
  invalid_command: { status: 400, meaning: 'There is no command of this name.' },
  missing_parameters: { status: 400, meaning: 'A parameter that the command needs is missing.' },
  too_many_targets: { status: 400, meaning: 'The list names more charge points than one request may.' },
  unauthorized: { status: 401, meaning: 'The API key is missing, unknown or revoked.' },
  payment_declined: { status: 402, meaning: 'The payment provider declined the payment method.' },
  forbidden: { status: 403, meaning: 'The key lacks the scope, or may not do this.' },
  not_found: { status: 404, meaning: 'There is no such thing, or it belongs to another organization.' },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but not with this method; `Allow` lists those that it has.',
  },
  timeout: { status: 408, meaning: 'The charge point did not answer in time.' },
  conflict: { status: 409, meaning: 'The request contradicts the present state.' },
  last_key: { status: 409, meaning: 'The last key that may create keys cannot be revoked.' },
  charge_point_exists: { status: 409, meaning: 'A charge point with this id is already registered.' },
  connector_in_use: {
    status: 409,
    meaning: 'Another guest has the connector, a session is running on it, or it is reserved.',
  },
  no_tariff: { status: 409, meaning: 'The charge point has no tariff, so that a guest cannot be charged.' },
  serial_number_taken: {
    status: 409,
    meaning: 'The serial number is the id or the serial number of another charge point.',
  },
  id_tag_exists: { status: 409, meaning: 'This id tag is already registered.' },
  session_ended: { status: 409, meaning: 'The session has already ended.' },
  session_not_ended: { status: 409, meaning: 'The session is still running.' },
  session_not_priced: { status: 409, meaning: 'The session has no cost, because no tariff applied at its start.' },
  dispute_exists: { status: 409, meaning: 'The session already has a dispute that is not decided.' },
  dispute_decided: { status: 409, meaning: 'The dispute has been accepted or rejected, which is final.' },
  member_exists: { status: 409, meaning: 'This address already belongs to a member.' },
  last_admin: { status: 409, meaning: 'The last admin of an organization cannot leave or lose the role.' },
  onboarding_incomplete: { status: 409, meaning: 'A step of the onboarding is still missing.' },
  tariff_in_use: { status: 409, meaning: 'A charge point or the organization still sells at the tariff.' },
  idempotency_conflict: { status: 409, meaning: 'The `Idempotency-Key` was used with another request.' },
  already_attached: { status: 409, meaning: 'The transaction is already attached to a session.' },
  charge_point_mismatch: { status: 409, meaning: 'The session belongs to another charge point.' },
  session_completed: { status: 409, meaning: 'The charge point has ended the session itself.' },
  event_expired: {
    status: 409,
    meaning: 'The event is older than events are kept, or was a test, which is never kept.',
  },
  replay_running: { status: 409, meaning: 'A replay of this endpoint is still running.' },
  webhook_endpoint_inactive: { status: 409, meaning: 'The webhook endpoint is not active.' },
  too_many_webhook_endpoints: {
    status: 409,
    meaning: 'The organization has as many webhook endpoints as it may have.',
  },
  cursor_expired: { status: 410, meaning: 'Events after this cursor are no longer kept: read from the beginning.' },
  payload_too_large: { status: 413, meaning: 'The body is larger than 1 MiB.' },
  unsupported_media_type: { status: 415, meaning: 'The body is not `application/json`.' },
  charge_point_offline: { status: 422, meaning: 'The charge point is not connected.' },
  charge_point_not_accepted: {
    status: 422,
    meaning: 'The command was not sent: the charge point is Pending or Rejected, or has not booted yet.',
  },
  ocpp_rejected: { status: 422, meaning: 'The charge point rejected the command.' },
  unsafe_url: { status: 422, meaning: 'The address is not https, or leads to a private network.' },
  upgrade_required: { status: 426, meaning: 'This path takes WebSocket connections only.' },
  rate_limited: {
    status: 429,
    temporary: true,
    meaning: 'Too many commands for this charge point: wait, then repeat.',
  },
  too_many_streams: { status: 429, temporary: true, meaning: 'The key has as many event streams open as it may have.' },
  rate_limit_exceeded: { status: 429, temporary: true, meaning: 'The quota of the key for this hour is used up.' },
  internal_error: { status: 500, meaning: 'The service failed; quote `request_id` to its operator.' },
  ocpp_error: { status: 502, meaning: 'The charge point answered with an OCPP error.' },
  overloaded: {
    status: 503,
    temporary: true,
    meaning: 'The service is busy: wait `Retry-After` seconds, then repeat.',
  },
  shutting_down: {
    status: 503,
    temporary: true,
    meaning: 'The service is stopping: repeat after `Retry-After` seconds.',
  },
  storage_unavailable: {
    status: 503,
    temporary: true,
    meaning:
      'The disk takes no writes. Nothing was changed, unless the message says that the request may have been carried out: then repeat it ' +
      'only under the same `Idempotency-Key`, or look first at what has become of it.',
  },
  payment_unavailable: {
    status: 503,
    temporary: true,
    meaning: 'The payment provider does not answer; nothing was charged.',
  },
} as const satisfies Record<string, { status: number; temporary?: boolean; meaning: string }>

export type ErrorCode = keyof typeof errorCodes

/** Whether the same request may succeed later. */
export function isTemporary(code: ErrorCode): boolean {
  return 'temporary' in errorCodes[code]
}

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
