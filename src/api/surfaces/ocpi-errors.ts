// Errors that only roaming partners see, and the OCPI status code of every error (OCPI 2.2.1, 5). HTTP says whether a request was understood
// and what it is about exists; everything else is said in the envelope, under 200 (4.1.3 and its discussion, ocpi/ocpi #99).

import { defineError, type ErrorKind, internalError, notFound, validationError } from '../../runtime/errors.js'
import {
  methodNotAllowed,
  payloadTooLarge,
  rateLimitExceeded,
  unauthorized,
  unsupportedMediaType,
} from '../pipeline/errors.js'

export const notEnoughInformation = defineError('ocpi_not_enough_information', {
  status: 400,
  meaning: 'OCPI 2002: what is named could be one of several.',
})

export const unknownLocation = defineError('ocpi_unknown_location', {
  status: 400,
  meaning: 'OCPI 2003: there is no such location, EVSE or connector.',
})

export const unknownToken = defineError('ocpi_unknown_token', {
  status: 404,
  meaning: 'OCPI 2004: the token is not known.',
})

export const preferencesNotSupported = defineError('ocpi_preferences_not_supported', {
  status: 404,
  meaning: 'OCPI 2001 under HTTP 404: the EVSE does not take charging preferences.',
})

export const unsupportedVersion = defineError('ocpi_unsupported_version', {
  status: 404,
  meaning: 'OCPI 3002: the version is not one that the service speaks.',
})

export const partnerUnusable = defineError('ocpi_unable_to_use_client', {
  status: 422,
  meaning: 'OCPI 3001: the API of the partner could not be used.',
})

export const noCommonVersion = defineError('ocpi_no_common_version', {
  status: 422,
  meaning: 'OCPI 3002: the partner does not offer version 2.2.1.',
})

export const noMatchingEndpoints = defineError('ocpi_no_matching_endpoints', {
  status: 422,
  meaning: 'OCPI 3003: endpoints that are needed are missing.',
})

const codes = new Map<ErrorKind, number>([
  [validationError, 2001],
  [notEnoughInformation, 2002],
  [unknownLocation, 2003],
  [unknownToken, 2004],
  [preferencesNotSupported, 2001],
  [unsupportedVersion, 3002],
  [partnerUnusable, 3001],
  [noCommonVersion, 3002],
  [noMatchingEndpoints, 3003],
])

/** Generic where it has no code of its own: 2000 for what the caller can mend, else 3000. */
export function ocpiCodeOf(kind: ErrorKind): number {
  return codes.get(kind) ?? (kind.status < 500 ? 2000 : 3000)
}

/** Those that concern the transport and not what was asked: they have their own HTTP status. */
const ofTransport: ReadonlySet<ErrorKind> = new Set([
  unauthorized,
  notFound,
  unknownToken,
  preferencesNotSupported,
  unsupportedVersion,
  methodNotAllowed,
  payloadTooLarge,
  unsupportedMediaType,
  rateLimitExceeded,
])

/** A defect is met where OCPI is spoken already, and is said in it. What there is no room for now has not come so far. */
export function ocpiHttpStatusOf(kind: ErrorKind): number {
  if (kind === internalError) return 200
  return kind.status >= 500 || ofTransport.has(kind) ? kind.status : 200
}
