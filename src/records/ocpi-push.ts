// What a roaming partner has been sent of what is sent by itself (OCPI 2.2.1, push): how far the service has got in the organization's events, which
// CDRs the partner has taken, and the tariffs that it was given. Written by the partner's actor alone. The objects are not kept here: they are
// made when they are sent.

import { defineTable } from '../runtime/store/table.js'

export interface OcpiProgress {
  readonly partner_id: string
  /** The newest event up to which the partner knows all that it should, but for CDRs, which have rows of their own. */
  readonly cursor: string
  /** Wall ms: the locations that have changed before are known to the partner. */
  readonly locations_from: number
  /** The registration since which that holds: after another, the partner is sent all locations. Absent in rows of earlier versions. */
  readonly registered_at?: string
  /** Wall ms of the first of the failures that no success has followed, and the last of them in a sentence. */
  readonly failing_since?: number
  readonly last_error?: string
  /** Alerts that are open about it: that nothing reaches it, and that CDRs were given up. */
  readonly unreachable_alert_id?: string
  readonly given_up_alert_id?: string
}

export const ocpiProgressTable = defineTable<OcpiProgress>({
  name: 'ocpi_progress',
  key: (row) => [row.partner_id],
  importance: 'operation',
})

export interface OcpiSentCdr {
  readonly cdr_id: string
  /** Wall ms. */
  readonly sent_at: number
  /** Where the partner keeps it, in its own words. */
  readonly location?: string
}

/** The CDRs of a session of the partner's driver: what has to be made of it, and what the partner has taken. */
export interface OcpiCdrPush {
  readonly partner_id: string
  readonly session_id: string
  /** Where the session is, as a CDR says it, from its start; absent where that was not known then. */
  readonly place?: object
  /** Steady ms: when a CDR is made if one is due; absent while nothing has happened that could change the bill. */
  readonly bill_at?: number
  /** Those that the partner has taken, in the order in which it was sent them. */
  readonly sent: readonly OcpiSentCdr[]
  /** Its CDRs are posted to the partner; absent where the partner had no place for them, and in rows of earlier versions. */
  readonly is_posted?: true
  /** Wall ms: when the session began or ended, or was corrected, as far as is known here. */
  readonly noted_at: number
  /** To make one, or to send one; since that has last succeeded. */
  readonly attempts: number
  /** Of all delays since then; a fortnight of them, and it is given up. */
  readonly waited_ms?: number
  /** Steady ms; absent while nothing is to be sent. */
  readonly next_attempt_at?: number
  /** Of the last attempt, where it failed. */
  readonly error?: string
  /** The party that the hub does not reach, by its key: what the session has for it waits until the hub does. */
  readonly held_for?: string
  /** Wall ms: it could not be made, or was not taken, for a fortnight. Since then it is tried once a day. */
  readonly given_up_at?: number
}

export const ocpiCdrPushesTable = defineTable<OcpiCdrPush>({
  name: 'ocpi_cdr_pushes',
  key: (row) => [row.partner_id, row.session_id],
  importance: 'transaction',
  indexes: {
    toBill: ({ partner_id, bill_at: at }) => (at === undefined ? [] : [{ group: [partner_id], order: [at] }]),
    due: ({ partner_id, next_attempt_at: at }) => (at === undefined ? [] : [{ group: [partner_id], order: [at] }]),
    givenUp: ({ partner_id, given_up_at: at }) => (at === undefined ? [] : [{ group: [partner_id], order: [at] }]),
    heldFor: ({ partner_id, held_for: party }) => (party === undefined ? [] : [{ group: [partner_id, party] }]),
    byTime: (row) => [{ group: [], order: [row.noted_at] }],
  },
  uncounted: ['toBill', 'due', 'heldFor', 'byTime'],
  // A correction comes earlier, or never.
  retention: { timeOf: (row) => row.noted_at, milliseconds: 400 * 24 * 3_600_000, index: 'byTime' },
})

/** A tariff that the partner was sent. */
export interface OcpiKnownTariff {
  readonly partner_id: string
  readonly tariff_id: string
  /** Of what it was made of: another one, where the tariff may be another. */
  readonly mark: string
}

export const ocpiKnownTariffsTable = defineTable<OcpiKnownTariff>({
  name: 'ocpi_known_tariffs',
  key: (row) => [row.partner_id, row.tariff_id],
  importance: 'operation',
})
