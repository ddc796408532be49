// Errors that callers can see. Each is declared once, with its code and HTTP status, where it belongs, and made by calling it:
// `throw notFound('there is no such tariff')`. Here are the mechanism, and the errors that any part of the system may answer with.

import { assert } from './assert.js'

/** What a code says of itself; the reference lists it. */
export interface ErrorDeclaration {
  /** HTTP. */
  readonly status: number
  readonly meaning: string
  /** The same request may succeed later. */
  readonly temporary?: boolean
  /** An actor has acted behind it, or may have: such a refusal leaves an entry in the audit log. */
  readonly mayHaveActed?: boolean
}

/** As it crosses between threads: `errorKind` finds its declaration again. */
export type ErrorCode = string

export interface ErrorKind extends Readonly<Required<ErrorDeclaration>> {
  (message: string, extras?: ErrorExtras): AmpshardError
  readonly code: ErrorCode
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
  /** Nothing of the request's body could be read. */
  readonly unreadable?: true
  readonly cause?: unknown
}

export class AmpshardError extends Error {
  readonly code: ErrorCode
  readonly extras: ErrorExtras
  readonly #kind: ErrorKind

  constructor(kind: ErrorKind, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause })
    this.name = 'AmpshardError'
    this.code = kind.code
    this.#kind = kind
    this.extras = extras
  }

  get kind(): ErrorKind {
    return this.#kind
  }
}

/** For places where an expression is wanted. */
export function fail(kind: ErrorKind, message: string, extras?: ErrorExtras): never {
  throw kind(message, extras)
}

const declared = new Map<ErrorCode, ErrorKind>()

export function defineError(code: ErrorCode, declaration: ErrorDeclaration): ErrorKind {
  assert(!declared.has(code), 'a code is declared once', code)
  const { status, meaning, temporary = false, mayHaveActed = false } = declaration
  const make = (message: string, extras?: ErrorExtras): AmpshardError => new AmpshardError(kind, message, extras)
  const kind: ErrorKind = Object.assign(make, { code, status, meaning, temporary, mayHaveActed })
  declared.set(code, kind)
  return kind
}

/** Every error that has been declared in this thread, by status and code. */
export function errorKinds(): readonly ErrorKind[] {
  return [...declared.values()].sort((one, other) => one.status - other.status || (one.code < other.code ? -1 : 1))
}

/** The declaration of a code that came from another thread; one that this thread does not know is a defect. */
export function errorKind(code: ErrorCode): ErrorKind {
  return declared.get(code) ?? internalError
}

export const validationError = defineError('validation_error', {
  status: 400,
  meaning: 'The request does not fit its schema or a rule; `details` names each fault.',
})

export const notFound = defineError('not_found', {
  status: 404,
  meaning: 'There is no such thing, or it belongs to another organization.',
})

export const timeout = defineError('timeout', {
  mayHaveActed: true,
  status: 408,
  meaning: 'No answer came in time.',
})

export const conflict = defineError('conflict', {
  status: 409,
  meaning: 'The request contradicts the present state.',
})

export const internalError = defineError('internal_error', {
  mayHaveActed: true,
  status: 500,
  meaning: 'The service failed; quote `request_id` to its operator.',
})

export const overloaded = defineError('overloaded', {
  mayHaveActed: true,
  status: 503,
  temporary: true,
  meaning: 'The service is busy: wait `Retry-After` seconds, then repeat.',
})

export const storageUnavailable = defineError('storage_unavailable', {
  status: 503,
  temporary: true,
  meaning:
    'The disk takes no writes. Nothing was changed, unless the message says that the request may have been carried out: then repeat it ' +
    'only under the same `Idempotency-Key`, or look first at what has become of it.',
})
