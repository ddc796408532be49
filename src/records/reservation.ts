// A reservation of a connector for an id tag (OCPP 1.6, 5.13). Written by the charge point's actor alone.

import { timeOfId } from '../runtime/ids.js'
import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'
import type { OcpiTokenIdentity } from './ocpi-token.js'

export const reservationStatuses = ['active', 'used', 'expired', 'cancelled'] as const
export type ReservationStatus = (typeof reservationStatuses)[number]

export const cancelReasons = [
  'operator',
  'roaming_partner',
  'unanswered',
  'connector_faulted',
  'connector_unavailable',
  'replaced',
  'charge_point_removed',
] as const

/** Where their numbers towards charge points come from. */
export const reservationSequence = 'reservation'

export interface Reservation {
  readonly reservation_id: string
  /** Towards the charge point: a positive 31-bit integer, unique in the installation; for a raw ReserveNow, the caller's choice. */
  readonly ocpp_reservation_id: number
  readonly organization_id: string
  readonly charge_point_id: string
  /** 0 for any connector. */
  readonly connector_id: number
  readonly id_tag: string
  /** The tag's group when the reservation was made: its other tags may use it too. */
  readonly parent_id_tag?: string
  readonly status: ReservationStatus
  readonly expiry_date: string
  readonly created_at: string
  /** When it ceased to be active. */
  readonly ended_at?: string
  /** What it was used for. */
  readonly session_id?: string
  /** Why it was cancelled: an operator's wish, or that of the roaming partner that had it made, what the charge point reported, that it never answered, another of its number, or its removal. */
  readonly cancel_reason?: (typeof cancelReasons)[number]
  /** Who cancelled it, as long as the charge point has not been told: it is when it is connected. */
  readonly cancel_owed_by?: string
  /** Made by a raw ReserveNow; absent for those of the API. */
  readonly raw?: true
  readonly roaming?: ReservationRoaming
}

/** Whose driver it is for, where a roaming partner has had it made (OCPI 2.2.1, 13.3.3). */
export interface ReservationRoaming extends OcpiTokenIdentity {
  readonly partner_id: string
  /** As partners know it. */
  readonly location_id: string
  readonly authorization_reference?: string
}

/** As it stands now: one whose time is over has expired, whether or not that has been written yet. */
export function reservationStatus({ status, expiry_date }: Reservation, now: number): ReservationStatus {
  return status === 'active' && Date.parse(expiry_date) <= now ? 'expired' : status
}

const keptMs = 2 * 365 * 24 * 3_600_000

export const reservationsTable = defineTable<Reservation>({
  name: 'reservations',
  key: (row) => [row.reservation_id],
  importance: 'operation',
  indexes: {
    byOrganization: (row) => [{ group: [row.organization_id] }],
    byChargePoint: (row) => [{ group: [row.organization_id, row.charge_point_id] }],
    // By the end: those that are over but not written so yet come first.
    byStatus: (row) => [{ group: [row.organization_id, row.status], order: [Date.parse(row.expiry_date)] }],
    byChargePointStatus: (row) => [
      { group: [row.organization_id, row.charge_point_id, row.status], order: [Date.parse(row.expiry_date)] },
    ],
    byChargePointNumber: (row) => [{ group: [row.charge_point_id, row.ocpp_reservation_id] }],
    byNumber: (row) => [{ group: [row.ocpp_reservation_id] }],
    byCancelOwed: (row) => (row.cancel_owed_by === undefined ? [] : [{ group: [row.charge_point_id] }]),
  },
  uncounted: ['byChargePointNumber', 'byNumber', 'byCancelOwed'],
  retention: { milliseconds: keptMs, timeOf: (row) => timeOfId(row.reservation_id) },
})

/**
 * Whether a charge on a connector would take the place of one of these active reservations, all of them for somebody else: the
 * connector itself, or for a reservation of any connector the last that is free. `chargingElsewhere`: its other connectors that charge.
 */
export function takesReservedPlace(
  reservations: readonly Reservation[],
  connectorId: number,
  chargingElsewhere: readonly number[],
  connectorCount: number | undefined,
): boolean {
  const reserved = reservations.map(({ connector_id }) => connector_id)
  if (reserved.includes(connectorId)) return true
  const ofAnyConnector = reserved.filter((connector) => connector === anyConnector).length
  if (ofAnyConnector === 0 || connectorCount === undefined) return false
  // A connector that is reserved for after its charge is taken once.
  const taken = new Set([
    connectorId,
    ...chargingElsewhere,
    ...reserved.filter((connector) => connector !== anyConnector),
  ])
  return taken.size + ofAnyConnector > connectorCount
}

/** What a reservation that leaves the connector open names (OCPP 1.6, 5.13). */
const anyConnector = 0

/**
 * The one that an organization's charge point knows under a number, if it knows any: each takes the place of the one before. Those of
 * who had the id before are not this one's to see.
 */
export function latestOfNumber(
  view: ReadView,
  { organization_id, charge_point_id }: Pick<Reservation, 'organization_id' | 'charge_point_id'>,
  number: number,
): Reservation | undefined {
  const query = { reverse: true, limit: 1 }
  const [latest] = view.listBy(reservationsTable, 'byChargePointNumber', [charge_point_id, number], query)
  return latest?.organization_id === organization_id ? latest : undefined
}
