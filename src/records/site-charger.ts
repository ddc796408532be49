// What a charge point of a managed site may draw: what it has confirmed, and what it may have taken of what was sent since. It is on disk
// before anything that allows more is sent. Written by the site's actor alone.

import { defineTable } from '../runtime/store/table.js'

/** A limit in amperes per phase. Until `sent` is answered, the higher of both may be in force. */
export interface HeldLimit {
  /** Absent: no limit is known to be in force, and it may draw all that it can. */
  readonly amperes?: number
  readonly sent?: number
}

/** How limits are sent to a charge point: in the first way that it takes. */
export const limitForms = ['tx-a', 'tx-w', 'default-a', 'default-w'] as const
export type LimitForm = (typeof limitForms)[number]

export interface SiteConnector {
  readonly connector_id: number
  /** The session that the limit is for; of form default, the last one. */
  readonly session_id: string
  readonly transaction_id: number
  readonly limit: HeldLimit
  /** On how many phases its car was seen to draw; absent while nobody knows. */
  readonly phases?: 1 | 2 | 3
  /** Since when it waits for power, or has some, wall ms. */
  readonly paused_since?: number
  readonly served_since?: number
  /** When the limit was confirmed, ISO 8601. */
  readonly applied_at?: string
  /** Its session was ended without the word of its charge point, where the transaction may go on by this limit. */
  readonly may_go_on?: true
  /** It draws more than it was allowed: what it was metered at last, watts. */
  readonly ignores_limit_watts?: number
}

export interface SiteCharger {
  readonly site_id: string
  readonly charge_point_id: string
  readonly organization_id: string
  /** Of each connector that no session of its own has a limit for: the standing TxDefaultProfile. */
  readonly standing: HeldLimit
  readonly connectors: readonly SiteConnector[]
  /** Absent while none was refused; `none`: it takes no limit in any form. */
  readonly form?: LimitForm | 'none'
  readonly standing_form?: 'a' | 'w' | 'none'
  /** It refuses 0, and is paused with so many amperes: less than a car can charge with. */
  readonly pauses_with_amperes?: number
  /** The boot after which the standing limit was confirmed last, as it is stored of the charge point. */
  readonly standing_boot?: string
  /** Connectors at which what others have set before is cleared; it would be stronger than the standing limit. */
  readonly cleared?: readonly number[]
  /** The model as which it has lost its limits over a boot: while it is away, it may draw all that it can. */
  readonly forgets_as?: string
  /** The model as which it does not show the standing limit when it is asked, so that it is not asked. */
  readonly hides_as?: string
  readonly updated_at: string
}

export const siteChargersTable = defineTable<SiteCharger>({
  name: 'site_chargers',
  key: (row) => [row.site_id, row.charge_point_id],
  importance: 'operation',
  indexes: {},
})
