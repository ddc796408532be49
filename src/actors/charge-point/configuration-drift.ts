// Drift: values that were applied, and that the charge point has lost or changed since. It is looked for at every read; after each start
// of a charge point that a configuration was applied to, the service reads those keys by itself, spread over time, so that ten thousand
// that start at once are not asked at once.

import { chargePointConfigurationDrifted } from '../../alert-kinds/charge-point-configuration-drifted.js'
import { finding, openAlert, raise, resolve } from '../../alerts/alert.js'
import {
  applicationTo,
  type ConfigurationApplication,
  isTaken,
  type ReportedConfiguration,
} from '../../records/configuration.js'
import { foldKey } from '../../records/configuration-value.js'
import { driftedKeys } from '../../records/drifted-keys.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { wakeAfter } from '../../runtime/actor/wake-ups.js'
import { limits } from './limits.js'
import { chargePointAddress } from './messages.js'
import type { State } from './state.js'

const none: readonly Effect[] = []
export const driftCheckReason = 'configuration-check'

/** The newest application to the charge point as it is registered now. */
export function applicationOf(
  { registration }: Pick<State, 'registration'>,
  context: Context,
): ConfigurationApplication | undefined {
  return applicationTo(registration, context.read())
}

/** Raises the alert where what was applied is not there, and resolves it where it is. */
export function lookAtDrift(
  state: State,
  reported: ReportedConfiguration,
  context: Context,
  application = state.row.configuration?.state === 'applied' ? applicationOf(state, context) : undefined,
): readonly Effect[] {
  if (application === undefined || application.status === 'running') return none
  const drifted = driftedKeys(application, reported, state.row.boot?.booted_at).map(({ key }) => key)
  const about = { organizationId: state.row.organization_id, subject: context.id, chargePointId: context.id }
  const found = finding(chargePointConfigurationDrifted, about, drifted)
  const open = openAlert(context.read(), found)
  if (drifted.length > 0) return open === undefined ? raise(found, context).effects : none
  return open === undefined ? none : resolve(open.alert_id, context)
}

export function checkAfterBoot(context: Context): Effect {
  const afterMs = limits.driftCheckAfterMs + limits.driftCheckSpreadMs * context.random()
  return wakeAfter(chargePointAddress(context.id), driftCheckReason, afterMs, context)
}

/** The keys that a look for drift asks for. */
export function keysToCheck(
  { keys }: ConfigurationApplication,
  { avoided = [] }: Pick<ReportedConfiguration, 'avoided'>,
): readonly string[] {
  return keys.filter((key) => isTaken(key) && !avoided.includes(foldKey(key.key))).map(({ key }) => key)
}
