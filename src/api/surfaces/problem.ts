// The envelope of ampshard's own API: answers as they are, and errors in one of two forms. What fails at the credential, its scopes and its
// quota is flat; everything else is nested.

import { type AmpshardError, type ErrorKind, validationError } from '../../runtime/errors.js'
import { forbidden, rateLimitExceeded, tokenExpired, unauthorized } from '../pipeline/errors.js'
import { limits } from '../pipeline/limits.js'
import type { Envelope, ErrorForm } from '../pipeline/surface.js'

const requestId = 'req_01JD5M3X8Q2V7K9T4N6P0R1S2W'
const flatKinds: readonly ErrorKind[] = [unauthorized, tokenExpired, forbidden, rateLimitExceeded]
const codes = (kinds: readonly ErrorKind[]): readonly string[] => kinds.map(({ code }) => code)

/** A scope that is missing is refused flat, a rule is not. */
function isFlat({ kind, extras }: AmpshardError): boolean {
  return flatKinds.includes(kind) && (kind !== forbidden || extras.requiredScope !== undefined)
}

function flatBody({ code, message, extras }: AmpshardError, requestId: string): unknown {
  return {
    error: code,
    message,
    request_id: requestId,
    required_scope: extras.requiredScope,
    retry_after: extras.retryAfterSeconds,
  }
}

function nestedBody({ code, message, extras }: AmpshardError, requestId: string): unknown {
  return {
    error: {
      code,
      message,
      request_id: requestId,
      charge_point_id: extras.chargePointId,
      command_id: extras.commandId,
      details: extras.details,
    },
  }
}

const flat: ErrorForm = {
  name: 'AuthenticationError',
  schema: () => ({
    type: 'object',
    description: 'Failures of the key or token, its scopes and its quota have this flat form.',
    required: ['error', 'message', 'request_id'],
    properties: {
      error: { type: 'string', enum: codes(flatKinds) },
      message: { type: 'string' },
      request_id: { type: 'string' },
      required_scope: { type: 'string' },
      retry_after: { type: 'integer', description: 'seconds' },
    },
  }),
  has: (kind) => flatKinds.includes(kind),
  example: (kind) => ({
    name: kind.code,
    value: {
      error: kind.code,
      message: kind.meaning,
      request_id: requestId,
      ...(kind === forbidden && { required_scope: 'write:charge_points' }),
      ...(kind === rateLimitExceeded && { retry_after: 1_260 }),
    },
  }),
}

const nested: ErrorForm = {
  name: 'Error',
  schema: (kinds) => ({
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'request_id'],
        properties: {
          code: { type: 'string', enum: codes(kinds) },
          message: { type: 'string', description: 'For people; it may change. Programs go by the code.' },
          request_id: {
            type: 'string',
            description: 'Also the header `X-Request-ID`; quote it when you ask for help.',
          },
          charge_point_id: { type: 'string' },
          command_id: { type: 'string' },
          details: {
            type: 'array',
            maxItems: limits.errorDetails,
            items: {
              type: 'object',
              required: ['path', 'message'],
              properties: {
                path: { type: 'string', description: "A JSON pointer into the body, or the parameter's name." },
                message: { type: 'string' },
              },
            },
          },
        },
      },
    },
  }),
  has(kind, route) {
    if (!flatKinds.includes(kind) || route === undefined) return true
    return (
      kind === forbidden &&
      (route.errors?.includes(forbidden) === true || route.requires?.some(({ error }) => error === forbidden) === true)
    )
  },
  example(kind) {
    const details = [{ path: '/name', message: 'must be a string' }]
    const error = { code: kind.code, message: kind.meaning, request_id: requestId }
    return {
      // A flat code that also comes nested has a second example.
      name: flatKinds.includes(kind) ? `${kind.code}_by_rule` : kind.code,
      value: { error: kind === validationError ? { ...error, details } : error },
    }
  },
}

export const problem: Envelope = {
  error: (error, requestId) => ({
    status: error.kind.status,
    body: isFlat(error) ? flatBody(error, requestId) : nestedBody(error, requestId),
  }),
  errorForms: [flat, nested],
}
