// A charging session: one transaction of one charge point, from StartTransaction to its close. Written by the charge point's actor alone.

import type { ConnectorStatus } from '../ocpp16/schemas/connector-status.js'
import type { EarlierStatuses } from '../pricing/status-spans.js'
import { defineTable, type IndexEntry } from '../runtime/store/table.js'
import { foldIdTag } from './id-tag.js'
import { keyOfParty } from './ocpi-party.js'
import type { SessionRoaming } from './ocpi-token.js'

export const sessionStatuses = ['active', 'completed', 'estimated'] as const
export type SessionStatus = (typeof sessionStatuses)[number]

export interface SessionStatusChange {
  /** Corrected time, ms. */
  readonly at: number
  readonly status: ConnectorStatus
}

/** A run of readings that only rises: a reading in it means `reading - base` Wh since the start of the session. */
export interface RegisterSegment {
  /** What began it. */
  readonly by: 'start' | 'rolled-over' | 'reset' | 'per-session'
  readonly base: number
  /** The highest reading, Wh. */
  readonly highest: number
}

/** What a session has taken by its readings. */
export interface Register {
  /** Oldest first; the last is the present one. */
  readonly segments: readonly [RegisterSegment, ...RegisterSegment[]]
  /** Since the start, Wh. */
  readonly taken: number
  /** Of the newest reading, ms; absent before the first. */
  readonly at?: number
  /** A reading too high to be believed unless the next one goes on from it, Wh. */
  readonly doubtful?: number
  /** The readings are of the charge point's inlet, as there are no others. */
  readonly inlet?: true
}

/** The number sequence of transaction ids. */
export const transactionSequence = 'transaction'

/** A StopTransaction that came after the one that ended the session, and says something else. */
export interface OtherStop {
  readonly received_at: string
  /** The charge point's own words. */
  readonly timestamp: string
  /** Wh; null where it said none. */
  readonly meter_stop: number | null
  readonly reason: string
  readonly id_tag: string | null
}

export interface Session {
  readonly session_id: string
  readonly transaction_id: number
  readonly organization_id: string
  readonly charge_point_id: string
  readonly connector_id: number
  readonly id_tag: string
  /** What the charge point was told about the tag (OCPP 1.6, 4.8). */
  readonly authorization: string
  readonly parent_id_tag?: string
  /** An estimated close may still be replaced by the charge point's own StopTransaction. */
  readonly status: SessionStatus
  /** Corrected times; the charge point's own words are beside them where they differ. */
  readonly started_at: string
  readonly started_at_reported?: string
  readonly ended_at?: string
  readonly ended_at_reported?: string
  readonly received_at: string
  /** Wh; 0 while it is not known. */
  readonly meter_start: number
  /** The StartTransaction had no reading, and none has come since: the first one is the start. */
  readonly meter_start_unknown?: true
  /** Wh. */
  readonly meter_stop?: number
  readonly energy_wh?: number
  readonly stop_reason?: string
  readonly stop_id_tag?: string
  /** Bounded; the oldest first. */
  readonly other_stops?: readonly OtherStop[]
  readonly reservation_id?: number
  readonly site_id?: string
  /** How the driver was authorised: `rfid`, `remote`, `guest`. */
  readonly auth_method?: string
  /** Of the driver of a roaming partner: whose, by which token, and how that was authorized. Kept when the partner is gone. */
  readonly roaming?: SessionRoaming
  /** The tariff that applied at the start, and the hash of its snapshot; absent where none was assigned. */
  readonly tariff_id?: string
  readonly tariff_snapshot?: string
  /** ISO 4217, of the snapshot. */
  readonly currency?: string
  /** Total with tax, in the currency, once the session has ended; how it came about is its row in `session_costs`. */
  readonly cost?: number
  /** Of the cost: the sum of the lines before adjustments and tax, and the tax. Absent on sessions priced before they were kept here. */
  readonly subtotal?: number
  readonly tax?: number
  /** What a running session has cost as last told the world, and when that was (ISO 8601); gone once it has ended. */
  readonly cost_so_far?: number
  readonly cost_told_at?: string
  /**
   * The register as of its last oddity: readings that have come since, and are higher, go on from it. Absent where it has only
   * risen from the start, and every meter value has told it.
   */
  readonly register?: Register
  /** Where the newest meter values tell no register, `register` is as of the newest that did: none before them need be read. */
  readonly register_kept?: true
  /** The connector's statuses since the start, oldest first; bounded by limits.sessionStatuses, those before them as sums. */
  readonly statuses?: readonly SessionStatusChange[]
  readonly earlier_statuses?: EarlierStatuses
  readonly flags: readonly string[]
  /** The natural key by which a repeated StartTransaction is recognised. */
  readonly start_key: string
}

/** The place of a session in a list that goes by the start: it moves when the start is corrected. */
function byStart(session: Session, ...parts: readonly string[]): IndexEntry {
  return { group: [session.organization_id, ...parts], order: [Date.parse(session.started_at)] }
}

function whileActive(session: Session, ...parts: readonly string[]): readonly IndexEntry[] {
  return session.status === 'active' ? [{ group: [session.organization_id, ...parts] }] : []
}

/** In the place of the time of its last change: a session that runs changes with every reading, which is not written with it. */
export const behindAllOthers = Number.MAX_SAFE_INTEGER

/** Wall ms. */
export function changedAt({ status, roaming, ended_at, started_at }: Session): number {
  if (status === 'active') return behindAllOthers
  return roaming?.changed_at ?? Date.parse(ended_at ?? started_at)
}

export const sessionsTable = defineTable<Session>({
  name: 'sessions',
  key: (row) => [row.session_id],
  importance: 'transaction',
  indexes: {
    // In the order of arrival.
    byOrganization: (row) => [{ group: [row.organization_id] }],
    activeAtChargePoint: (row) => whileActive(row, row.charge_point_id),
    activeByTag: (row) => whileActive(row, foldIdTag(row.id_tag)),
    byTransaction: (row) => [{ group: [row.transaction_id] }],
    byStartKey: (row) => [{ group: [row.charge_point_id, row.start_key] }],
    // By the start.
    startsInOrganization: (row) => [byStart(row)],
    startsAtChargePoint: (row) => [byStart(row, row.charge_point_id)],
    startsByStatus: (row) => [byStart(row, row.status)],
    startsByIdTag: (row) => [byStart(row, foldIdTag(row.id_tag))],
    startsByTariff: (row) => (row.tariff_id === undefined ? [] : [byStart(row, row.tariff_id)]),
    startsBySite: (row) => (row.site_id === undefined ? [] : [byStart(row, row.site_id)]),
    startsByFlag: (row) => row.flags.map((flag) => byStart(row, flag)),
    // What partners read of their drivers' sessions: in the order of arrival, and of the last change.
    ofPartner: ({ roaming }) => (roaming === undefined ? [] : [{ group: [roaming.partner_id] }]),
    ofPartnerByChange: (row) =>
      row.roaming === undefined ? [] : [{ group: [row.roaming.partner_id], order: [changedAt(row)] }],
    // The same for one of several parties of a partner.
    ofParty: ({ roaming }) => (roaming === undefined ? [] : [{ group: [roaming.partner_id, keyOfParty(roaming)] }]),
    ofPartyByChange: (row) =>
      row.roaming === undefined
        ? []
        : [{ group: [row.roaming.partner_id, keyOfParty(row.roaming)], order: [changedAt(row)] }],
  },
  // A start costs all of these: an index, or a total, has to be worth it.
  uncounted: ['byOrganization', 'activeByTag', 'byTransaction', 'byStartKey', 'ofPartnerByChange', 'ofPartyByChange'],
})

/** A transaction message that no session explains: kept, never dropped, to be attached by hand. */
export interface UnmatchedTransaction {
  readonly unmatched_id: string
  readonly organization_id: string
  readonly charge_point_id: string
  readonly received_at: string
  /** The message as it arrived. */
  readonly action: string
  readonly payload: unknown
  /** The hash of action and payload, by which a repeat is recognised; absent on messages from before it was kept. */
  readonly content?: string
  readonly why: string
  /** The session that somebody has found it to be of, by whom and when. */
  readonly attached_session_id?: string
  readonly attached_at?: string
  readonly attached_by?: string
}

export const unmatchedStatuses = ['open', 'attached'] as const
export type UnmatchedStatus = (typeof unmatchedStatuses)[number]

export function unmatchedStatus(row: UnmatchedTransaction): UnmatchedStatus {
  return row.attached_session_id === undefined ? 'open' : 'attached'
}

export const unmatchedTransactionsTable = defineTable<UnmatchedTransaction>({
  name: 'unmatched_transactions',
  key: (row) => [row.unmatched_id],
  importance: 'transaction',
  indexes: {
    byStatus: (row) => [{ group: [row.organization_id, unmatchedStatus(row)] }],
    byChargePointStatus: (row) => [{ group: [row.organization_id, row.charge_point_id, unmatchedStatus(row)] }],
    byContent: ({ organization_id, charge_point_id, content }) =>
      content === undefined ? [] : [{ group: [organization_id, charge_point_id, content] }],
  },
  uncounted: ['byContent'],
})
