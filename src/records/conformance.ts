// How well a charge point keeps to OCPP 1.6: how often it has broken which rule, with a frame for each. Counted by its actor alone, for what the charge
// point says it is: with another model or firmware, counting begins anew.

import type { ConformanceRule } from '../ocpp16/index.js'
import { defineTable } from '../runtime/store/table.js'
import type { BootInformation } from './charge-point-state.js'
import { groupKeys } from './model-group.js'

/** What charge points that behave alike have in common; '' is what one has not said. */
export interface ChargePointModel {
  readonly vendor: string
  readonly model: string
  readonly firmware_version: string
}

export interface BrokenRule {
  readonly count: number
  /** Wall ms. */
  readonly first_at: number
  readonly last_at: number
  /** The first frame that broke it, as it may be shown. */
  readonly frame: string
  /** Where in the payload of that frame: a JSON pointer. */
  readonly path?: string
}

export interface Conformance extends ChargePointModel {
  readonly charge_point_id: string
  readonly organization_id: string
  /** Since when it is counted, wall ms. */
  readonly since: number
  /** In how many messages; absent where that was not counted. */
  readonly messages?: number
  readonly rules: Readonly<Partial<Record<ConformanceRule, BrokenRule>>>
}

export function modelOf(boot: BootInformation | undefined): ChargePointModel {
  return { vendor: boot?.vendor ?? '', model: boot?.model ?? '', firmware_version: boot?.firmware_version ?? '' }
}

export function isSameModel(one: ChargePointModel, other: ChargePointModel): boolean {
  return one.vendor === other.vendor && one.model === other.model && one.firmware_version === other.firmware_version
}

export function violationsOf({ rules }: Conformance): number {
  return Object.values(rules).reduce((sum, { count }) => sum + count, 0)
}

export const conformanceTable = defineTable<Conformance>({
  name: 'conformance',
  key: (row) => [row.charge_point_id],
  importance: 'operation',
  indexes: {
    /** Rows of one model and firmware stand together, so that a list of them passes from one to the next. */
    byModel: (row) => [{ group: [row.organization_id], order: [row.vendor, row.model, row.firmware_version] }],
    ofModel: (row) => [{ group: [row.organization_id, row.vendor, row.model, row.firmware_version] }],
    /** What all charge points of a model have broken is one read for each rule. */
    broken: (row) =>
      Object.entries(row.rules).map(([rule, { count }]) => ({
        group: [row.organization_id, row.vendor, row.model, row.firmware_version, rule],
        weight: count,
      })),
    /** How many charge points of a model, and of one firmware of it, break a rule, and how often they do. */
    ofGroup: (row) => groupKeys(row.organization_id, row).map((group) => ({ group })),
    violations: (row) => groupKeys(row.organization_id, row).map((group) => ({ group, weight: violationsOf(row) })),
  },
  uncounted: ['byModel'],
})
