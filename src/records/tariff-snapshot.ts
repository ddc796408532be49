// A tariff as it stood when a session began, kept under the hash of its content: all that pricing needs, so that no later
// change to the tariff, its bands or its schedule reaches a session. Written once, never changed.

import type { TariffSnapshot } from '../pricing/tariff-terms.js'
import { defineTable } from '../runtime/store/table.js'

export interface TariffSnapshotRow {
  /** SHA-256 of the canonical JSON of the snapshot, hex. */
  readonly hash: string
  readonly snapshot: TariffSnapshot
}

export const tariffSnapshotsTable = defineTable<TariffSnapshotRow>({
  name: 'tariff_snapshots',
  key: (row) => [row.hash],
})
