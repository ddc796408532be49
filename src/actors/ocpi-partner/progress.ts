// How far a partner has been told, as it is stored: never past what it does not know. What was told since is told again after a crash.

import { type OcpiProgress, ocpiProgressTable } from '../../records/ocpi-push.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { assert } from '../../runtime/assert.js'
import { limits } from './limits.js'
import { placesOf } from './pending.js'
import { type OcpiPartnerState, pendingCount } from './state.js'

/** A sentence; undefined where the last attempt went well. Stored when a partner begins to fail, and when it is there again. */
export function noteFailure(state: OcpiPartnerState, message: string | undefined, context: Context): readonly Effect[] {
  const { failing_since } = state.progress ?? {}
  if ((message === undefined) === (failing_since === undefined)) return []
  const since = message === undefined ? undefined : context.now()
  return [saveFailing(state, { failing_since: since, last_error: message }, context)]
}

/** What is undefined is over. */
export function saveFailing(
  state: OcpiPartnerState,
  changes: { readonly [Name in keyof Failing]?: Failing[Name] | undefined },
  context: Context,
): Effect {
  return save(state, context, failingOf({ ...state.progress, ...changes }))
}

/** When there is nothing more to tell, soon; else after many events. */
export function saveProgressIfDue(state: OcpiPartnerState, context: Context): readonly Effect[] {
  const due =
    state.unstored >= limits.ocpiUnstoredEvents || (isSettled(state) && context.monotonic() >= nextSaveAt(state))
  return due ? [save(state, context)] : []
}

function isSettled(state: OcpiPartnerState): boolean {
  return state.unstored > 0 && pendingCount(state) === 0
}

function nextSaveAt({ storedAt }: OcpiPartnerState): number {
  return storedAt + limits.ocpiProgressEveryMs
}

/** Monotonic ms of the next look at whether it is to be stored. */
export function saveDueAt(state: OcpiPartnerState): number {
  return isSettled(state) ? nextSaveAt(state) : Number.POSITIVE_INFINITY
}

type Failing = Pick<OcpiProgress, 'failing_since' | 'last_error' | 'unreachable_alert_id' | 'given_up_alert_id'>

function failingOf({
  failing_since,
  last_error,
  unreachable_alert_id,
  given_up_alert_id,
}: { readonly [Name in keyof Failing]?: Failing[Name] | undefined }): Failing {
  return {
    ...(failing_since !== undefined && { failing_since }),
    ...(last_error !== undefined && { last_error }),
    ...(unreachable_alert_id !== undefined && { unreachable_alert_id }),
    ...(given_up_alert_id !== undefined && { given_up_alert_id }),
  }
}

function save(state: OcpiPartnerState, context: Context, failing: Failing = failingOf(state.progress ?? {})): Effect {
  const { cursor, locationsFrom } = placesOf(state)
  assert(cursor >= (state.progress?.cursor ?? ''), 'the place of a partner moves on', cursor, state.progress?.cursor)
  const { registration } = state
  const since = { locations_from: locationsFrom, ...(registration !== undefined && { registered_at: registration }) }
  state.progress = { partner_id: context.id, cursor, ...since, ...failing }
  state.unstored = 0
  state.storedAt = context.monotonic()
  return effect.put(ocpiProgressTable, state.progress)
}
