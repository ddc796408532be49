// When a charge point was last heard, apart from the row of what it has said: most of what charge points send are heartbeats, which change nothing
// else. Noted by the charge point's actor alone.

import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'
import type { ChargePointState } from './charge-point-state.js'

export interface SignOfLife {
  readonly charge_point_id: string
  /** Wall time, ms. */
  readonly seen_at: number
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
  if (sign === undefined) return last_seen_at
  return Date.parse(last_seen_at ?? '') > sign.seen_at ? last_seen_at : new Date(sign.seen_at).toISOString()
}
