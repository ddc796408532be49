// A refused attempt to connect: what an installer needs to see why a charge point does not come online. Kept for 24 hours.

import { timeOfId } from '../runtime/ids.js'
import { defineTable } from '../runtime/store/table.js'

export interface ConnectionAttempt {
  readonly attempt_id: string
  /** The organization of the charge point of that id; of an unknown one, the installation's own. */
  readonly organization_id: string
  readonly charge_point_id: string
  readonly remote_address: string
  readonly reason: string
  /** What to do about it, in a sentence. */
  readonly advice: string
  readonly http_status: number
  readonly attempted_at: string
}

export const connectionAttemptsTable = defineTable<ConnectionAttempt>({
  name: 'connection_attempts',
  key: (row) => [row.attempt_id],
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byChargePoint: (row) => [{ group: [row.organization_id, row.charge_point_id] }],
    // Those that an alert counts: who is told to come later was not turned away.
    refused: (row) => (row.http_status === 503 ? [] : [{ group: [], order: [row.organization_id] }]),
  },
  uncounted: ['refused'],
  retention: { timeOf: (row) => timeOfId(row.attempt_id), milliseconds: 24 * 3_600_000 },
})
