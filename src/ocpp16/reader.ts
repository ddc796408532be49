// The tolerant reader of payloads that charge points send: requests, and their answers to our calls.
// What the schema takes is given back as it is, at the cost of validating it; what it refuses is mended where its
// meaning is clear, every fault being listed; only what cannot be used is refused.

import type { Static, TObject, TSchema } from 'typebox'
import type { OcppErrorCode } from './error-codes.js'
import { compileRepair } from './repair.js'
import type { MessageDefinition, Repairs } from './schemas/define-message.js'
import { fastValidator } from './validators.js'
import type { RepairFunction, Violation } from './violation.js'

export type Reading<Value> =
  | { readonly ok: true; readonly value: Value; readonly violations: readonly Violation[] }
  /** `path`: where it is that cannot be used, as a JSON pointer. */
  | { readonly ok: false; readonly code: OcppErrorCode; readonly description: string; readonly path: string }

const noViolations: readonly Violation[] = Object.freeze([])
const noRepairs: Repairs = {}
const repairFunctions = new Map<TSchema, RepairFunction>()

/** Reads the payload of a CALL. `receivedAtMs` (wall clock) stands in for timestamps that the charge point left out. */
export function readRequest<Request extends TObject>(
  definition: MessageDefinition<string, Request>,
  payload: unknown,
  receivedAtMs: number,
): Reading<Static<Request>> {
  return read(definition.request, definition.requestRepairs, payload, receivedAtMs)
}

/** Reads the payload of a CALLRESULT to a call of ours. */
export function readResponse<Response extends TObject>(
  definition: MessageDefinition<string, TObject, Response>,
  payload: unknown,
  receivedAtMs: number,
): Reading<Static<Response>> {
  return read(definition.response, definition.responseRepairs, payload, receivedAtMs)
}

function read<Schema extends TObject>(
  schema: Schema,
  repairs: Repairs | undefined,
  payload: unknown,
  receivedAtMs: number,
): Reading<Static<Schema>> {
  if (fastValidator(schema)(payload)) {
    return { ok: true, value: payload as Static<Schema>, violations: noViolations }
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    return { ok: false, code: 'FormationViolation', description: 'The payload is not an object', path: '' }
  }
  const violations: Violation[] = []
  const outcome = repairOf(schema, repairs)(payload, '', { receivedAtMs, violations })
  if (!outcome.ok) return { ok: false, ...outcome.why }
  return { ok: true, value: outcome.value as Static<Schema>, violations }
}

/** Two messages may share a schema (the empty one) only if neither has repairs of its own. */
function repairOf(schema: TSchema, repairs: Repairs = noRepairs): RepairFunction {
  let repair = repairFunctions.get(schema)
  if (repair === undefined) {
    repair = compileRepair(schema, repairs)
    repairFunctions.set(schema, repair)
  }
  return repair
}
