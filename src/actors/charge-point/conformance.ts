// Counts which rules of the protocol a charge point breaks. What the messages of a frame have broken is noted in one go when the frame is handled:
// nothing is written for it at once, and a frame that breaks nothing costs nothing.

import { type ConformanceRule, sampleFrame } from '../../ocpp16/index.js'
import { type Conformance, conformanceTable, isSameModel, modelOf } from '../../records/conformance.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import type { Broken, State } from './state.js'

const none: readonly Effect[] = []

/** Of the frame in hand: counted with it. */
export function noteViolation(state: State, broken: Broken): void {
  state.broken.push(broken)
}

/** To be called when a frame has been handled. */
export function countViolations(state: State, text: string, context: Context): readonly Effect[] {
  const broken = state.broken.splice(0)
  // What a frame of a charge point that is registered no more has broken must not bring its row back.
  if (state.registration === undefined) return none
  const row = rowOf(state, context)
  const rules: { [Rule in ConformanceRule]?: NonNullable<Conformance['rules'][Rule]> } = { ...row.rules }
  const now = context.now()
  for (const { rule, path } of broken) {
    const known = rules[rule]
    rules[rule] =
      known === undefined
        ? { count: 1, first_at: now, last_at: now, frame: sampleFrame(text), ...(path !== undefined && { path }) }
        : { ...known, count: known.count + 1, last_at: now }
  }
  state.conformance = { ...row, rules }
  return [effect.note(conformanceTable, state.conformance)]
}

/** Of the charge point as it is now; read at the first rule that it breaks. */
function rowOf(state: State, context: Context): Conformance {
  const { organization_id, boot } = state.row
  const model = modelOf(boot)
  const known = state.conformance ?? context.read().get(conformanceTable, [context.id])
  if (known?.organization_id === organization_id && isSameModel(known, model)) return known
  return { charge_point_id: context.id, organization_id, ...model, since: context.now(), rules: {} }
}

/** Another model or firmware begins with nothing, also where it breaks no rule. */
export function forgetConformance(state: State, context: Context): Effect {
  state.conformance = undefined
  return effect.remove(conformanceTable, [context.id])
}
