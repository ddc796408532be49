// A guest's session: a charge that somebody without an account pays for with a tokenised payment method. Written by the
// guest session's actor alone; which charge it became is told by the charge point's actor, in guest_starts.

import { timeOfId } from '../runtime/ids.js'
import { defineTable } from '../runtime/store/table.js'
import { foldIdTag } from './id-tag.js'

export const guestStatuses = ['authorizing', 'charging', 'stopped'] as const
export type GuestStatus = (typeof guestStatuses)[number]

/**
 * pending: the provider has been asked to set the amount aside. authorized: it has. capture_pending and release_pending: it has been
 * asked to take the cost, or to let go of the amount, and is asked again until it answers. failed: it will not pay.
 */
export const paymentStatuses = [
  'pending',
  'declined',
  'authorized',
  'capture_pending',
  'captured',
  'release_pending',
  'released',
  'failed',
] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** What is given back after the capture: one for each correction, under a key that stays the same over attempts. */
export interface GuestRefund {
  readonly key: string
  readonly status: 'pending' | 'refunded' | 'failed'
  readonly amount_minor: number
  /** Steady time, as ISO 8601. */
  readonly due_since: string
  readonly refunded_at?: string
  readonly failures?: number
  /** Steady time, as ISO 8601. */
  readonly next_attempt_at?: string
  readonly error?: string
}

export interface GuestPayment {
  readonly status: PaymentStatus
  /** ISO 4217. */
  readonly currency: string
  /** What was asked to be set aside, in minor units. */
  readonly authorized_minor: number
  /** What the provider calls it. */
  readonly authorization?: string
  /** What is captured, in minor units: the cost, but never more than was set aside. */
  readonly capture_minor?: number
  readonly captured_at?: string
  /** Oldest first. */
  readonly refunds?: readonly GuestRefund[]
  /** When the capture or release became due (steady time, as ISO 8601), its failures, and the time of the next attempt (the same). */
  readonly due_since?: string
  readonly failures?: number
  readonly next_attempt_at?: string
  readonly error?: string
}

/** The charge may not go on: what was set aside is used up, or will be within a minute. Gone when a later reading says otherwise. */
export interface GuestLimit {
  readonly reached_at: string
  /** How often the charge point was asked to stop. */
  readonly attempts: number
  /** Steady time, as ISO 8601. */
  readonly next_attempt_at: string
  /** Open while the charge goes on in spite of it. */
  readonly alert_id?: string
}

export type GuestEnd =
  | 'declined'
  | 'provider_unavailable'
  | 'not_accepted'
  | 'interrupted'
  | 'not_started'
  | 'reserved'
  | 'cancelled'
  | 'charged'

export interface GuestSession {
  readonly guest_session_id: string
  /** SHA-256 of the token that the guest holds, in hex; the token itself is nowhere. */
  readonly token_hash: string
  readonly organization_id: string
  readonly charge_point_id: string
  readonly connector_id: number
  /** Made for this session alone. */
  readonly id_tag: string
  readonly status: GuestStatus
  /** The charge point has accepted the start and the guest has the token. */
  readonly offered: boolean
  readonly payment: GuestPayment
  readonly created_at: string
  /** `created_at` as steady time, ms; absent before it was kept. */
  readonly since?: number
  /** Until when the charge may begin. */
  readonly expires_at: string
  /** When its charge was joined, by both clocks, ms: how long it lasts is steady time. Absent before it was kept. */
  readonly joined?: { readonly wall: number; readonly steady: number }
  /** Since when the end of its charge is known as an estimate, steady ms. */
  readonly estimated_since?: number
  /** `api_key:<key id>`: who asked for it, and so gives the commands. */
  readonly created_by: string
  readonly session_id?: string
  readonly transaction_id?: number
  readonly started_at?: string
  readonly ended_at?: string
  readonly limit?: GuestLimit
  readonly end?: GuestEnd
  /** Wh. */
  readonly energy_wh?: number
  readonly final_cost?: number
  /** Of the final cost. */
  readonly currency?: string
  /** When the cost was last corrected after the end. */
  readonly corrected_at?: string
}

const keptMs = 2 * 365 * 24 * 3_600_000

export const guestSessionsTable = defineTable<GuestSession>({
  name: 'guest_sessions',
  key: (row) => [row.guest_session_id],
  importance: 'transaction',
  indexes: {
    byToken: (row) => [{ group: [row.token_hash] }],
    byIdTag: (row) => [{ group: [foldIdTag(row.id_tag)] }],
    // Those that have charged, by the end of the charge: reports read a period of it.
    byEnd: (row) =>
      row.status === 'stopped' && row.session_id !== undefined && row.ended_at !== undefined
        ? [{ group: [row.organization_id], order: [Date.parse(row.ended_at)] }]
        : [],
  },
  uncounted: ['byToken', 'byIdTag', 'byEnd'],
  retention: { milliseconds: keptMs, timeOf: (row) => timeOfId(row.guest_session_id) },
})

/** The charge that a guest session became, written with its StartTransaction. */
export interface GuestStart {
  readonly guest_session_id: string
  readonly session_id: string
}

export const guestStartsTable = defineTable<GuestStart>({
  name: 'guest_starts',
  key: (row) => [row.guest_session_id],
  importance: 'transaction',
  retention: { milliseconds: keptMs, timeOf: (row) => timeOfId(row.guest_session_id) },
})

/** Which guest has a connector: the newest that has asked for it, for as long as that guest's session is not stopped. */
export interface GuestConnector {
  readonly charge_point_id: string
  readonly connector_id: number
  readonly version: number
  /** Whose guest; absent on claims from before it was kept. */
  readonly organization_id?: string
  readonly guest_session_id: string
  readonly claimed_at: string
}

export const guestConnectorsTable = defineTable<GuestConnector>({
  name: 'guest_connectors',
  key: (row) => [row.charge_point_id, row.connector_id],
  importance: 'operation',
  retention: { milliseconds: keptMs, timeOf: (row) => timeOfId(row.guest_session_id) },
})

/** Tags of guests begin with this; they have 85 random bits behind it, and the 20 characters that OCPP 1.6 allows. */
export const guestTagPrefix = 'GST'
const tagAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** `bytes` are at least 17 random ones. */
export function guestTag(bytes: Uint8Array): string {
  return guestTagPrefix + Array.from(bytes.subarray(0, 17), (byte) => tagAlphabet[byte % 32]).join('')
}

export function mayBeGuestTag(idTag: string): boolean {
  return idTag.length === 20 && foldIdTag(idTag).startsWith(guestTagPrefix)
}
