// A tariff as it stood when a session began, kept under the hash of its content: all that pricing needs, so that no later
// change to the tariff, its bands or its schedule reaches a session. Written once, never changed.

import { defineTable } from '../../runtime/table.js'
import type { ComponentType } from './tariff.js'

/** A component with the system's defaults filled in. */
export interface SnapshotComponent {
  readonly type: ComponentType
  readonly price: number
  readonly step_size: number
  readonly grace_minutes: number
}

export interface TariffSnapshot {
  readonly tariff_id: string
  readonly name: string
  /** ISO 4217. */
  readonly currency: string
  /** Decimals of the currency: kept here, so that an old session is not rounded anew if the standard changes. */
  readonly minor_units: number
  readonly tax_percentage: number
  /** The rate band that the schedule picked; null for the tariff's own components. */
  readonly band: string | null
  readonly components: readonly SnapshotComponent[]
  /** IANA name of the organization's time zone: what hours and days mean to billing rules. */
  readonly time_zone: string
}

export interface TariffSnapshotRow {
  /** SHA-256 of the canonical JSON of the snapshot, hex. */
  readonly hash: string
  readonly snapshot: TariffSnapshot
}

export const tariffSnapshotsTable = defineTable<TariffSnapshotRow>({
  name: 'tariff_snapshots',
  key: (row) => [row.hash],
})
