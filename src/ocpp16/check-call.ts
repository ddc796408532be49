// The strict check of payloads that API callers want sent to a charge point: what passes here is valid OCPP 1.6.
// Never mends anything: a caller is told of every fault, a charge point is tolerated.

import type { ErrorObject } from 'ajv'
import type { ErrorDetail } from '../runtime/errors.js'
import { faultWords } from '../runtime/fault-words.js'
import { limits } from './limits.js'
import { messages } from './messages.js'
import { thoroughValidator } from './validators.js'

export type CallCheck =
  | { readonly ok: true }
  /** `path` of a detail is a JSON pointer into the payload; '' is the payload, and the action if that is unknown. */
  | { readonly ok: false; readonly unknownAction: boolean; readonly details: readonly ErrorDetail[] }

/** Whether the central system may send `action` (exact case) with this payload. */
export function checkCall(action: string, payload: unknown): CallCheck {
  const definition = messages.get(action)
  if (definition === undefined || definition.from === 'charge-point') {
    const message = definition === undefined ? 'is not an action of OCPP 1.6' : 'is sent by charge points only'
    return { ok: false, unknownAction: true, details: [{ path: '', message: `${action.slice(0, 64)} ${message}` }] }
  }
  const validate = thoroughValidator(definition.request)
  if (validate(payload)) {
    const broken = (definition.rules?.(payload as never) ?? []).slice(0, limits.callFaults)
    return broken.length === 0 ? { ok: true } : { ok: false, unknownAction: false, details: broken }
  }
  const details = (validate.errors ?? []).slice(0, limits.callFaults).map(toDetail)
  return { ok: false, unknownAction: false, details }
}

function toDetail(error: ErrorObject): ErrorDetail {
  const { instancePath: path, params } = error
  switch (error.keyword) {
    case 'required':
      return { path: `${path}/${params.missingProperty}`, message: faultWords(error) }
    case 'additionalProperties':
      return {
        path: `${path}/${escapePointer(String(params.additionalProperty))}`,
        message: 'is not a field of OCPP 1.6',
      }
    case 'multipleOf':
      return { path, message: 'must have at most one decimal' }
    default:
      return { path, message: faultWords(error) }
  }
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
