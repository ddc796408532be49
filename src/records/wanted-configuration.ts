// What a charge point is to be configured with: its template, with what was set for itself in its place.

import type { ReadView } from '../runtime/store/store.js'
import { type ChargePoint, isOwnedBy, isUnclaimed } from './charge-point.js'
import { chargePointStatesTable } from './charge-point-state.js'
import { type ConfigurationOverrides, configurationOverridesTable } from './configuration.js'
import {
  type ConfigurationTemplate,
  configurationTemplatesTable,
  type Kind,
  type SharedTemplate,
  templateFor,
  templatesOf,
} from './configuration-template.js'
import { foldKey, type ParameterValue } from './configuration-value.js'

export interface WantedConfiguration {
  readonly template: ConfigurationTemplate | SharedTemplate | undefined
  readonly overrides: ConfigurationOverrides | undefined
  /** By key, in the order of their names. */
  readonly parameters: Readonly<Record<string, ParameterValue>>
}

export function wantedConfiguration(
  view: ReadView,
  chargePoint: ChargePoint,
  shared: readonly SharedTemplate[],
): WantedConfiguration {
  const overrides = overridesOf(view, chargePoint)
  const own = templatesOf(view, chargePoint.organization_id)
  const named = [...own, ...shared].find(({ template_id }) => template_id === overrides?.template_id)
  const template = named ?? templateFor(kindOf(view, chargePoint), own, shared)
  return { template, overrides, parameters: merged(template?.parameters ?? {}, overrides?.parameters ?? {}) }
}

/**
 * Those of the charge point as it is registered now: what its installer has set holds until its organization sets something else. A template of
 * the operator that the installer has named is not another organization's.
 */
export function overridesOf(view: ReadView, chargePoint: ChargePoint): ConfigurationOverrides | undefined {
  const row = view.get(configurationOverridesTable, [chargePoint.charge_point_id])
  if (row === undefined || !isOwnedBy(chargePoint, row.organization_id)) return undefined
  const { template_id, ...unnamed } = row
  if (template_id === undefined || isUnclaimed(chargePoint)) return row
  const owner = view.get(configurationTemplatesTable, [template_id])?.organization_id
  return owner === undefined || owner === chargePoint.organization_id ? row : unnamed
}

/** As it has said itself at its last start; before its first, as its installer has said. */
function kindOf(view: ReadView, chargePoint: ChargePoint): Kind {
  const state = view.get(chargePointStatesTable, [chargePoint.charge_point_id])
  const isOwn = state !== undefined && isOwnedBy(chargePoint, state.organization_id)
  const boot = isOwn ? state.boot : undefined
  if (boot === undefined) {
    const { vendor, model } = chargePoint.installed ?? {}
    return { ...(vendor !== undefined && { vendor }), ...(model !== undefined && { model }) }
  }
  const { vendor, model, firmware_version } = boot
  return { vendor, model, ...(firmware_version !== undefined && { firmware: firmware_version }) }
}

/** What is to be configured in all, in the order of the keys; null takes a key away. */
export function merged(
  template: Readonly<Record<string, ParameterValue>>,
  overrides: Readonly<Record<string, ParameterValue | null>>,
): Readonly<Record<string, ParameterValue>> {
  const entries = Object.entries(overlaid<ParameterValue | null>(template, overrides))
  const wanted = entries.flatMap(([key, value]): readonly (readonly [string, ParameterValue])[] =>
    value === null ? [] : [[key, value]],
  )
  return Object.fromEntries(wanted.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** What is there, with what is given in its place: a key that is spelled in another way is the same key, and keeps its first spelling. */
export function overlaid<Value>(
  before: Readonly<Record<string, Value>>,
  given: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  const byKey = new Map(Object.entries(before).map(([key, value]) => [foldKey(key), { key, value }]))
  for (const [key, value] of Object.entries(given)) {
    const folded = foldKey(key)
    byKey.set(folded, { key: byKey.get(folded)?.key ?? key, value })
  }
  return Object.fromEntries([...byKey.values()].map(({ key, value }) => [key, value]))
}
