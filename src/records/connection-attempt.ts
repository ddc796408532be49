// A refused attempt to connect: what an installer needs to see why a charge point does not come online. Kept for 24 hours.

import { timeOfId } from '../runtime/ids.js'
import { defineTable } from '../runtime/store/table.js'
import { reversed, shapeOf } from './id-shape.js'

export interface ConnectionAttempt {
  readonly attempt_id: string
  /** The organization of the charge point of that id; of an unknown one, the installation's own. */
  readonly organization_id: string
  /** The id as it was sent, shortened. */
  readonly charge_point_id: string
  /** Nobody was found who has registered the id; absent where somebody has, and in older rows. */
  readonly is_unknown?: true
  readonly remote_address: string
  readonly reason: string
  /** What to do about it, in a sentence. */
  readonly advice: string
  readonly http_status: number
  readonly attempted_at: string
  /** So many that were alike and came one after the other, of which this is the last; absent for one. */
  readonly times?: number
}

const hourMs = 3_600_000

/** Of the hours since 1970. */
export const hourOf = (at: number): number => Math.floor(at / hourMs)

/** Who may be told of it without more ado; '' for nobody: whose charge point it was is a matter of guessing. */
export function attemptOwner({ organization_id, is_unknown }: ConnectionAttempt): string {
  return is_unknown === true ? '' : organization_id
}

export const connectionAttemptsTable = defineTable<ConnectionAttempt>({
  name: 'connection_attempts',
  key: (row) => [row.attempt_id],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byChargePoint: (row) => [{ group: [row.organization_id, row.charge_point_id] }],
    // Those that an alert counts: who is told to come later was not turned away.
    refused: (row) => (row.http_status === 503 ? [] : [{ group: [], order: [row.organization_id] }]),
    byShape: (row) => [{ group: [attemptOwner(row)], order: [shapeOf(row.charge_point_id)] }],
    byReversedShape: (row) => [{ group: [attemptOwner(row)], order: [reversed(shapeOf(row.charge_point_id))] }],
    /** How many attempts there were beyond the rows: of an id as it was sent, of it in an hour, and of a shape in an hour. */
    repeated(row) {
      const { organization_id, charge_point_id, attempt_id, times = 1 } = row
      if (times === 1) return []
      const hour = hourOf(timeOfId(attempt_id))
      const groups = [
        ['id', organization_id, charge_point_id],
        ['id', organization_id, charge_point_id, hour],
        ['shape', attemptOwner(row), shapeOf(charge_point_id), hour],
      ]
      return groups.map((group) => ({ group, weight: times - 1 }))
    },
    byAddress: (row) => [{ group: [row.remote_address], order: [attemptOwner(row)] }],
  },
  uncounted: ['refused', 'byShape', 'byReversedShape', 'byAddress'],
  retention: { timeOf: (row) => timeOfId(row.attempt_id), milliseconds: 24 * 3_600_000 },
})
