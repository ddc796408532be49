// What a charge point reports of its configuration: stored at every read, whoever has asked. Secrets are left out.

import { getConfiguration, type OcppCall } from '../../ocpp16/index.js'
import { isOwnedBy } from '../../records/charge-point.js'
import {
  type ReportedConfiguration,
  type ReportedKey,
  reportedConfigurationsTable,
} from '../../records/configuration.js'
import { foldKey, shownValue } from '../../records/configuration-value.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { lookAtDrift } from './configuration-drift.js'
import { readAnswer } from './configuration-steps.js'
import { limits } from './limits.js'
import type { State } from './state.js'

const none: readonly Effect[] = []

/** What it has reported as it is registered now. */
export function reportedOf(
  { row, registration }: Pick<State, 'row' | 'registration'>,
  context: Context,
): ReportedConfiguration {
  const { charge_point_id, organization_id } = row
  const stored = context.read().get(reportedConfigurationsTable, [charge_point_id])
  const isOwn = stored !== undefined && registration !== undefined && isOwnedBy(registration, stored.organization_id)
  return isOwn ? { ...stored, organization_id } : { charge_point_id, organization_id, keys: {}, unknown: [] }
}

/** Stores what the answer to a GetConfiguration says, and looks for drift in it. */
export function noteConfigurationRead(
  state: State,
  asked: OcppCall,
  payload: unknown,
  context: Context,
): readonly Effect[] {
  if (asked.action !== getConfiguration.action || state.registration === undefined) return none
  const reported = withAnswer(reportedOf(state, context), asked.payload.key, payload, context.now())
  return [effect.put(reportedConfigurationsTable, reported), ...lookAtDrift(state, reported, context)]
}

/** Its answer was longer than a frame may be, which has cost it the connection: the service does not ask for all of its keys by itself again. */
export function noteWholeTooBig(state: State, context: Context): readonly Effect[] {
  const asked = state.calls.outstanding?.call
  if (asked?.action !== getConfiguration.action || !isOfAll(asked.payload.key)) return none
  return [effect.put(reportedConfigurationsTable, { ...reportedOf(state, context), whole_too_big: true as const })]
}

function isOfAll(asked: unknown): boolean {
  return !Array.isArray(asked) || asked.length === 0
}

/** `asked`: the keys of the request; without any, it was asked for all. */
export function withAnswer(
  before: ReportedConfiguration,
  asked: unknown,
  payload: unknown,
  now: number,
): ReportedConfiguration {
  const { configurationKey = [], unknownKey = [] } = readAnswer(payload)
  const read_at = new Date(now).toISOString()
  const isComplete = isOfAll(asked) && configurationKey.length > 0
  const answered = configurationKey.map(({ key, readonly, value }): readonly [string, ReportedKey] => {
    const shown = shownValue(key, value)
    return [foldKey(key), { key, ...(shown !== undefined && { value: shown }), read_only: readonly, read_at }]
  })
  const gone = new Set(unknownKey.map(foldKey))
  const others = isComplete ? [] : Object.entries(before.keys).filter(([key]) => !gone.has(key))
  const keys = withinBounds({ ...Object.fromEntries(others), ...Object.fromEntries(answered) })
  const found = new Set(answered.map(([key]) => key))
  const unknown = [
    ...before.unknown.filter((key) => !found.has(foldKey(key)) && !gone.has(foldKey(key))),
    ...unknownKey,
  ]
  const { whole_too_big: _, ...without } = before
  return {
    ...(isComplete ? without : before),
    keys,
    unknown: unknown.slice(-limits.unknownConfigurationKeys),
    read_at,
    ...(isComplete && { complete_at: read_at }),
  }
}

/** The first keys stay: whatever a charge point reports, its row has an end. */
function withinBounds(keys: Readonly<Record<string, ReportedKey>>): Readonly<Record<string, ReportedKey>> {
  let characters = 0
  const kept = Object.entries(keys)
    .slice(0, limits.configurationKeys)
    .filter(([, { value = '' }]) => {
      characters += value.length
      return characters <= limits.configurationCharacters
    })
  return Object.fromEntries(kept)
}
