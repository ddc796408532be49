// Whether a call of a caller's making is one of OCPP 1.6; its faults are told at their places in the caller's body.

import type { OcppCall } from '../../../actors/command-router/messages.js'
import { checkCall } from '../../../ocpp16/index.js'
import { type ErrorDetail, validationError } from '../../../runtime/errors.js'
import { invalidCommand } from './errors.js'

/** Where the caller's body has what is at a place of the payload; `fields` names those of the body by those of the payload. */
function placeInBody(path: string, fields: Readonly<Record<string, string>> | undefined): string {
  if (fields === undefined) return `/payload${path}`
  const [, first = '', ...rest] = path.split('/')
  return ['', fields[first] ?? first, ...rest].join('/')
}

/** Strict in what it sends: the payload of every raw command fits the standard's schema and its rules. */
export function checked(call: OcppCall, fields?: Readonly<Record<string, string>>): OcppCall {
  const check = checkCall(call.action, call.payload)
  if (check.ok) return call
  const details: ErrorDetail[] = check.details.map(({ path, message }) => ({
    path: placeInBody(path, fields),
    message,
  }))
  const [first] = details
  if (check.unknownAction) throw invalidCommand(first?.message ?? 'is not an action of OCPP 1.6')
  throw validationError(`${first?.path} ${first?.message}`, { details })
}
