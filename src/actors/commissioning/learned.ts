// What a commissioning that has ended has shown of the model of its charge point. What was not asked for is not learned from it.

import { triggerMessage } from '../../ocpp16/index.js'
import { chargePointsTable } from '../../records/charge-point.js'
import { chargePointStatesTable } from '../../records/charge-point-state.js'
import { type CommissioningSession, type Exchange, isOfRegistration } from '../../records/commissioning.js'
import {
  type ConfigurationApplication,
  configurationApplicationsTable,
  isRefused,
  reportedConfigurationsTable,
} from '../../records/configuration.js'
import { foldKey } from '../../records/configuration-value.js'
import { type ChargePointModel, isSameModel, modelOf } from '../../records/conformance.js'
import { learnedTraitsTable, modelIdOf } from '../../records/model-traits.js'
import { type ChargingRateUnit, known, type ModelTraits } from '../../records/traits.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { limits } from './limits.js'
import { isOpen } from './progress.js'
import { configured, neverAnswersPings, pinged } from './steps.js'

const none: readonly Effect[] = []

/** `before` and `row`: the session before and after a turn. */
export function learn(
  before: CommissioningSession | undefined,
  row: CommissioningSession | undefined,
  context: Context,
): readonly Effect[] {
  if (before === undefined || row === undefined || before.session_id !== row.session_id) return none
  if (!isOpen(before) || isOpen(row)) return none
  const view = context.read()
  const { charge_point_id, installer_id, registered_at } = row
  const model = modelOf(row.hardware)
  // What booted in between is something else.
  if (model.model === '' || !isSameModel(model, modelOf(view.get(chargePointStatesTable, [charge_point_id])?.boot)))
    return none
  const application = view.get(configurationApplicationsTable, [charge_point_id])
  const reported = view.get(reportedConfigurationsTable, [charge_point_id])
  const units = reported?.keys[foldKey(unitsKey)]?.value
  const traits = { ...seenIn(row), ...refusedIn(row, application), ...(units !== undefined && unitsIn(units)) }
  if (Object.keys(traits).length === 0) return none
  const chargePoint = view.get(chargePointsTable, [charge_point_id])
  if (chargePoint === undefined || !isOfRegistration(row, chargePoint.installed)) return none
  const stored = view.get(learnedTraitsTable, [charge_point_id])
  const isSame =
    stored !== undefined && stored.registered_at === registered_at && isSameModel(stored as ChargePointModel, model)
  const learned = {
    charge_point_id,
    organization_id: chargePoint.organization_id,
    installer_id,
    registered_at,
    ...model,
    model_id: modelIdOf(model),
    learned_at: context.now(),
    traits: isSame ? known(traits, stored.traits) : traits,
  }
  return [effect.put(learnedTraitsTable, learned)]
}

/** What was learned of the charge point counts for the organization that has claimed it since. */
export function passOnLearned(context: Context): readonly Effect[] {
  const view = context.read()
  const learned = view.get(learnedTraitsTable, [context.id])
  const chargePoint = view.get(chargePointsTable, [context.id])
  if (learned === undefined || !isOfRegistration(learned, chargePoint?.installed)) return none
  const { organization_id = learned.organization_id } = chargePoint ?? {}
  return organization_id === learned.organization_id
    ? none
    : [effect.put(learnedTraitsTable, { ...learned, organization_id })]
}

const unitsKey = 'ChargingScheduleAllowedChargingRateUnit'
const unitsByName: Readonly<Record<string, ChargingRateUnit>> = { current: 'A', power: 'W' }

function unitsIn(value: string): ModelTraits {
  const units = value.split(',').flatMap((name) => unitsByName[name.trim().toLowerCase()] ?? [])
  return units.length === 0 ? {} : { charging_rate_units: units }
}

const unimplemented: ReadonlySet<string | undefined> = new Set(['NotImplemented', 'NotSupported'])

function seenIn({ steps }: CommissioningSession): ModelTraits {
  const evidence = steps.flatMap((step) => step.evidence)
  const pings = evidence.filter(({ sent }) => sent === pinged)
  const actions = new Map<string, boolean>()
  const triggers = new Map<string, boolean>()
  const calls = evidence.filter(({ sent }) => sent !== pinged && sent !== configured)
  for (const exchange of calls) noteAnswer(exchange, actions, triggers)
  return {
    ...(pings.some(({ outcome }) => outcome === 'answered')
      ? { answers_pings: true }
      : pings.at(-1)?.answer === neverAnswersPings && { answers_pings: false }),
    ...(actions.size > 0 && { actions: Object.fromEntries(actions) }),
    ...(triggers.size > 0 && { triggers: Object.fromEntries(triggers) }),
  }
}

function noteAnswer(
  { sent, parameters, outcome, answer }: Exchange,
  actions: Map<string, boolean>,
  triggers: Map<string, boolean>,
): void {
  if (outcome === 'error' && unimplemented.has(answer)) actions.set(sent, false)
  if (outcome !== 'answered') return
  actions.set(sent, true)
  const asked = parameters?.requestedMessage
  if (sent !== triggerMessage.action || typeof asked !== 'string') return
  if (answer === 'Accepted') triggers.set(asked, true)
  else if (unimplemented.has(answer)) triggers.set(asked, false)
}

function refusedIn({ steps }: CommissioningSession, application: ConfigurationApplication | undefined): ModelTraits {
  const step = steps.find(({ name }) => name === 'configuration')
  if (application === undefined || application.application_id !== step?.application_id) return {}
  if (application.status !== 'completed') return {}
  const refused = application.keys.filter(isRefused).map(({ key }) => key)
  return { refused_keys: refused.slice(0, limits.refusedKeys) }
}
