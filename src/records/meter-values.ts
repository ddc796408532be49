// Meter values as they were taken: one row per message and instant, under the session or, without one, under the connector.

import { defineTable } from '../runtime/store/table.js'

/** value, measurand, unit, phase, context, location, format; trailing defaults left out to keep rows small. */
export type Sample = readonly (string | number | null)[]

export interface MeterValues {
  /** A session id, or `charge_point_id/connector_id` for values outside any transaction. */
  readonly owner: string
  /** Corrected time, ms. */
  readonly at: number
  /** The charge point's time, where its clock had been set back: `at` is behind what it told before. */
  readonly reported_at?: number
  /** Tells apart the contexts that share an instant; a repeated message finds its own row again. */
  readonly context: string
  readonly samples: readonly Sample[]
  /** The overall energy register of the outlet in Wh, where the message had one. */
  readonly energy_wh?: number
  /** That of the charge point's inlet, where the message had no other. */
  readonly inlet_wh?: number
  readonly power_watts?: number
  /** Taken while space was low: the register is all that was kept. */
  readonly thinned?: true
}

export const meterValuesTable = defineTable<MeterValues>({
  name: 'meter_values',
  key: (row) => [row.owner, row.at, row.context],
  importance: 'transaction',
  // The register bills, so what was acknowledged of it is kept; the newest of a session tells all earlier ones.
  thinning: {
    keep: ({ owner, at, context, energy_wh, inlet_wh }) =>
      energy_wh === undefined && inlet_wh === undefined
        ? undefined
        : {
            owner,
            at,
            context,
            samples: [],
            ...(energy_wh !== undefined && { energy_wh }),
            ...(inlet_wh !== undefined && { inlet_wh }),
            thinned: true,
          },
    kept: (row) => row.thinned === true,
    seriesParts: 1,
  },
})
