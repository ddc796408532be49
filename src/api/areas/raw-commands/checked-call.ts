// Whether a call of a caller's making is one of OCPP 1.6; its faults are named by their places in the caller's body.

import { checkCall, type OcppCall } from '../../../ocpp16/index.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { invalidCommand } from '../commands/errors.js'

/**
 * Strict in what it sends: every payload fits the standard's schema and its rules. Throws `validation_error`, with the places of the
 * faults in the body as `placeOf` makes them of those in the payload, or `invalid_command`.
 */
export function checked(call: OcppCall, placeOf: (path: string) => string): OcppCall {
  const check = checkCall(call.action, call.payload)
  if (check.ok) return call
  const details = check.details.map(({ path, message }) => ({ path: placeOf(path), message }))
  if (check.unknownAction) throw invalidCommand(details[0]?.message ?? 'is not an action of OCPP 1.6')
  throw invalid(details)
}
