// What is known of a charge point without asking it: how it is wired, what it can give, how it takes limits, and what its organization knows of its
// model.

import { type Line, linesOf, nominalVolts, type PhaseRotation } from '../../power/electricity.js'
import type { ChargePoint } from '../../records/charge-point.js'
import { chargePointStatesTable } from '../../records/charge-point-state.js'
import { type ReportedConfiguration, reportedConfigurationsTable } from '../../records/configuration.js'
import { type ChargePointModel, modelOf } from '../../records/conformance.js'
import { connectorCount } from '../../records/connector-count.js'
import { modelIdOf, ownTraits } from '../../records/model-traits.js'
import type { ModelTraits } from '../../records/traits.js'
import type { Context } from '../../runtime/actor/actor.js'
import { limits } from './limits.js'

/** What one of its connectors can do at most, where nobody has said it: 32 A on three phases. */
const assumedWatts = 22_080

/** What is known of a charge point without asking it. */
export interface ChargerFacts {
  readonly connectors: number
  /** Of each connector. */
  readonly fullWatts: number
  readonly phases: 1 | 3
  readonly rotation: PhaseRotation
  /** Of charging profiles; undefined where it has not said. */
  readonly maxStackLevel: number | undefined
  /** Units that it says it takes. */
  readonly units: readonly ('A' | 'W')[]
  /** As it has booted last; undefined where it has not named itself. */
  readonly model: ChargePointModel | undefined
  readonly modelId: string | undefined
  /** What its organization knows of its model. */
  readonly traits: ModelTraits
}

/** Many charge points of a site are of one model. */
export function believedOnce(context: Pick<Context, 'read'>): Believed {
  const known = new Map<string, ModelTraits>()
  return (modelId, { organization_id }) => {
    const traits = known.get(modelId) ?? ownTraits(context.read(), modelId, organization_id)
    known.set(modelId, traits)
    return traits
  }
}

export type Believed = (modelId: string, member: ChargePoint) => ModelTraits

export function factsOf(
  member: ChargePoint,
  context: Pick<Context, 'read'>,
  believed = believedOnce(context),
): ChargerFacts {
  const view = context.read()
  const told = view.get(chargePointStatesTable, [member.charge_point_id])
  const named = told?.organization_id === member.organization_id ? modelOf(told.boot) : undefined
  const model = named?.model === '' ? undefined : named
  const modelId = model && modelIdOf(model)
  const reported = view.get(reportedConfigurationsTable, [member.charge_point_id])
  const stack = Number.parseInt(keyOf(reported, 'ChargeProfileMaxStackLevel') ?? '', 10)
  return {
    connectors: countedConnectors(connectorCount(member, told)),
    fullWatts: member.max_power_kw === undefined ? assumedWatts : member.max_power_kw * 1000,
    phases: member.phases ?? 3,
    rotation: member.phase_rotation ?? 'RST',
    maxStackLevel: Number.isInteger(stack) && stack >= 0 ? stack : undefined,
    units: unitsOf(keyOf(reported, 'ChargingScheduleAllowedChargingRateUnit')),
    model,
    modelId,
    traits: modelId === undefined ? {} : believed(modelId, member),
  }
}

/** A charge point that has shown another connector can draw there, too. */
export function withConnectors(facts: ChargerFacts, told: number | undefined): ChargerFacts {
  const connectors = countedConnectors(told ?? facts.connectors)
  return connectors === facts.connectors ? facts : { ...facts, connectors }
}

function countedConnectors(told: number | undefined): number {
  return Math.min(limits.connectorsOfCharger, told ?? 1)
}

function keyOf(reported: ReportedConfiguration | undefined, key: string): string | undefined {
  return reported?.keys[key.toLowerCase()]?.value
}

/** `Current,Power` by the standard (OCPP 1.6, 9.4.2), and `A,W` by many; both, in doubt. */
function unitsOf(value: string | undefined): readonly ('A' | 'W')[] {
  const words = (value ?? '').toLowerCase().split(/[^a-z]+/)
  const units = [
    ...(words.includes('current') || words.includes('a') ? (['A'] as const) : []),
    ...(words.includes('power') || words.includes('w') ? (['W'] as const) : []),
  ]
  return units.length === 0 ? ['A', 'W'] : units
}

export function fullAmperes({ fullWatts, phases }: ChargerFacts): number {
  return fullWatts / nominalVolts / phases
}

export function chargerLines({ rotation, phases }: ChargerFacts, used: number = phases): readonly Line[] {
  return linesOf(rotation, Math.min(phases, used))
}
