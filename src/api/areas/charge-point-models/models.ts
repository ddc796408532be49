// What is known of models, as organizations see it: nothing of it says whose charge points it was learned from.

import { type Static, type TSchema, Type } from 'typebox'
import {
  heartbeat,
  meterValues,
  remoteStartTransaction,
  remoteStopTransaction,
  statusNotification,
  triggerMessage,
} from '../../../ocpp16/index.js'
import { chargingProfilePurpose } from '../../../ocpp16/schemas/common.js'
import type { TraitsCorrection } from '../../../records/model-traits.js'
import { chargingRateUnits, corrected, type ModelTraits, type TraitsCorrections } from '../../../records/traits.js'
import { line } from '../../../runtime/fault-words.js'
import { anyObject, named, nullable, timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import type { ListedModel } from './listed.js'

const actions = [triggerMessage, remoteStartTransaction, remoteStopTransaction].map(({ action }) => action)
const triggers = [heartbeat, statusNotification, meterValues].map(({ action }) => action)

const byName = (schema: TSchema, names: readonly string[], description: string) =>
  Type.Record(Type.String(), schema, { description: `${description}: ${names.join(', ')}.` })

const keys = Type.Array(Type.String({ minLength: 1, maxLength: 50, ...line }), {
  maxItems: 100,
  description: 'Configuration keys of its template that were refused.',
})
const units = Type.Array(Type.Enum([...chargingRateUnits]), {
  maxItems: chargingRateUnits.length,
  description: 'The units in which it takes limits.',
})
const purposes = Type.Array(chargingProfilePurpose, {
  maxItems: 3,
  description: 'The purposes of charging profiles that it takes. Commissioning does not find this out.',
})
const keepsProfiles = Type.Boolean({
  description:
    'Whether it holds its limits over a boot. Managed sites find it out. One that does not counts with all that it can draw while it is offline.',
})
const obeysLimits = Type.Boolean({
  description: 'Whether cars draw no more there than the limits that it has accepted. Managed sites find it out.',
})
const isImplemented = 'Whether an action is implemented'
const isSent = 'Whether TriggerMessage leads to a message'

export const traitsSchema = named('ModelTraits', {
  answers_pings: nullable(Type.Boolean()),
  actions: byName(Type.Boolean(), actions, isImplemented),
  triggers: byName(Type.Boolean(), triggers, isSent),
  refused_keys: nullable(keys),
  charging_rate_units: nullable(units),
  profile_purposes: nullable(purposes),
  keeps_profiles: nullable(keepsProfiles),
  obeys_limits: nullable(obeysLimits),
})

export const correctionsSchema = named('ModelTraitsCorrections', {
  answers_pings: Type.Optional(nullable(Type.Boolean())),
  actions: Type.Optional(byName(nullable(Type.Boolean()), actions, isImplemented)),
  triggers: Type.Optional(byName(nullable(Type.Boolean()), triggers, isSent)),
  refused_keys: Type.Optional(nullable(keys)),
  charging_rate_units: Type.Optional(nullable(units)),
  profile_purposes: Type.Optional(nullable(purposes)),
  keeps_profiles: Type.Optional(nullable(keepsProfiles)),
  obeys_limits: Type.Optional(nullable(obeysLimits)),
})

export const modelSchema = named('ChargePointModel', {
  model_id: Type.String({ examples: ['mdl_9f86d081884c7d659a2feaa0c5'] }),
  vendor: Type.String(),
  model: Type.String(),
  firmware_version: nullable(Type.String()),
  learned_at: nullable(timestamp('null if nothing was learned.')),
  learned: traitsSchema,
  correction: nullable(anyObject('As it was put: what it leaves out is as it was learned, and null is not known.')),
  corrected_at: nullable(timestamp()),
  traits: traitsSchema,
})

export function modelView(
  { model_id, vendor, model, firmware_version, learned_at, traits }: ListedModel,
  correction: TraitsCorrection | undefined,
): Static<typeof modelSchema> {
  return {
    model_id,
    vendor,
    model,
    firmware_version: firmware_version || null,
    learned_at: learned_at === undefined ? null : new Date(learned_at).toISOString(),
    learned: shown(traits),
    correction: correction === undefined ? null : { ...correction.traits },
    corrected_at: correction?.updated_at ?? null,
    traits: shown(corrected(traits, correction?.traits ?? {})),
  }
}

/** Throws `validation_error` where a name is not one of those that are shown. */
export function requireKnownNames({ actions: byAction = {}, triggers: byMessage = {} }: TraitsCorrections): void {
  const faultsIn = (field: string, given: object, names: readonly string[]) =>
    Object.keys(given)
      .filter((name) => !names.includes(name))
      .map((name) => ({ path: `/${field}/${name}`, message: `must be one of ${names.join(', ')}` }))
  const faults = [...faultsIn('actions', byAction, actions), ...faultsIn('triggers', byMessage, triggers)]
  if (faults.length > 0) throw invalid(faults)
}

/** Commissioning may learn of more actions than are shown. */
function shown({ actions: byAction = {}, triggers: byMessage = {}, ...traits }: ModelTraits) {
  const only = (names: readonly string[], all: Readonly<Record<string, boolean>>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
  const { answers_pings = null, refused_keys = null, charging_rate_units = null, profile_purposes = null } = traits
  const { keeps_profiles = null, obeys_limits = null } = traits
  return {
    answers_pings,
    actions: only(actions, byAction),
    triggers: only(triggers, byMessage),
    refused_keys,
    charging_rate_units,
    profile_purposes,
    keeps_profiles,
    obeys_limits,
  } as Static<typeof traitsSchema>
}
