// When a charge point was last heard, apart from the row of what it has said: most of what charge points send are heartbeats, which change nothing
// else. Noted by the charge point's actor alone.

import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'
import type { ChargePointState } from './charge-point-state.js'

export interface SignOfLife {
  readonly charge_point_id: string
  /** Wall time, ms. */
  readonly seen_at: number
  /** What the row of the charge point said when this was noted: where it says something else, it is newer. */
  readonly after: string | undefined
}

export const signsOfLifeTable = defineTable<SignOfLife>({
  name: 'signs_of_life',
  key: (row) => [row.charge_point_id],
  importance: 'operation',
})

/** The last sign of life of a charge point, to the minute. */
export function lastSeenAt(
  view: ReadView,
  { charge_point_id, last_seen_at }: Pick<ChargePointState, 'charge_point_id' | 'last_seen_at'>,
): string | undefined {
  const sign = view.get(signsOfLifeTable, [charge_point_id])
  // Not the later of the two: the clock may have been set back since.
  return sign === undefined || sign.after !== last_seen_at ? last_seen_at : new Date(sign.seen_at).toISOString()
}
