// What a charge point does against the standard, by rule, action and place: how often, and a frame of it. Counted by its actor alone, beside the sums of
// all (conformance.ts). Nobody is promised it, and a disk that fills up loses it first.

import { createHash } from 'node:crypto'
import type { ConformanceRule } from '../ocpp16/index.js'
import { defineTable, type Key } from '../runtime/store/table.js'
import type { ChargePointModel } from './conformance.js'
import { groupKeys } from './model-group.js'

/** Of one charge point; what it breaks beyond them is counted in the sums alone. */
export const mostDeviations = 64

/** What was done, whoever has done it. */
export interface DeviationKind {
  readonly rule: ConformanceRule
  /** '' where the frame names none. */
  readonly action: string
  /** A JSON pointer into the payload, with `*` for any element of an array; '' where it is the whole message. */
  readonly path: string
}

export interface DeviationExample {
  /** Wall ms. */
  readonly at: number
  /** Of OCPP; absent where the frame has none. */
  readonly message_id?: string
  /** What stood at the path, where it was a single value, and the frame: as both may be shown. */
  readonly received?: string | number | boolean | null
  readonly frame: string
}

export interface StoredDeviation extends DeviationKind, ChargePointModel {
  readonly charge_point_id: string
  /** From 0 to 63: there is no room for more. */
  readonly place: number
  readonly organization_id: string
  /** Names rule, action and path: the same for all charge points. */
  readonly kind: string
  readonly count: number
  /** Wall ms. */
  readonly first_at: number
  readonly last_at: number
  readonly example: DeviationExample
}

const digestCharacters = 16

export function kindOfDeviation({ rule, action, path }: DeviationKind): string {
  return createHash('sha256')
    .update(JSON.stringify([rule, action, path]))
    .digest('hex')
    .slice(0, digestCharacters)
}

const groupsOf = (row: StoredDeviation): readonly Key[] => groupKeys(row.organization_id, row)

export const deviationsTable = defineTable<StoredDeviation>({
  name: 'deviations',
  key: (row) => [row.charge_point_id, row.place],
  indexes: {
    /** Those of one kind stand together, so that a list of kinds passes from one to the next. */
    kinds: (row) => groupsOf(row).map((group) => ({ group, order: [row.kind] })),
    /** How many charge points do it. */
    ofKind: (row) => groupsOf(row).map((group) => ({ group: [...group, row.kind] })),
    /** How often they do. */
    occurrences: (row) => groupsOf(row).map((group) => ({ group: [...group, row.kind], weight: row.count })),
  },
  uncounted: ['kinds'],
  // Nothing is kept of it while space is low.
  thinning: { keep: () => undefined, kept: () => false, seriesParts: 1 },
})
