// Commands of roaming partners (OCPI 2.2.1, 13): by what they are known when they come again, and which reservation of ours a partner's
// is. Written by the API.

import { defineTable } from '../runtime/store/table.js'
import { keyOfParty, type OcpiPartyId } from './ocpi-party.js'

/** A command that was accepted: a repeat of it gets the same answer, and is not carried out again. */
export interface OcpiCommand {
  readonly partner_id: string
  /** SHA-256 of the command and its body, in hex. */
  readonly fingerprint: string
  readonly version: number
  readonly command: string
  /** Wall ms. */
  readonly received_at: number
}

const commandKeptMs = 24 * 3_600_000

export const ocpiCommandsTable = defineTable<OcpiCommand>({
  name: 'ocpi_commands',
  key: (row) => [row.partner_id, row.fingerprint],
  indexes: { byTime: (row) => [{ group: [], order: [row.received_at] }] },
  uncounted: ['byTime'],
  retention: { milliseconds: commandKeptMs, timeOf: (row) => row.received_at, index: 'byTime' },
})

/** A reservation of a partner, and which of ours it is. */
export interface OcpiReservation {
  readonly partner_id: string
  /** The party whose driver it is for, and the partner's own id in lower case: `NL*TNM/r1`. Without the party in rows of earlier versions. */
  readonly partner_reservation_id: string
  readonly version: number
  /** Ours. */
  readonly reservation_id: string
  readonly charge_point_id: string
  readonly location_id: string
  readonly response_url: string
  /** Wall ms. */
  readonly expires_at: number
}

export function partnerReservationId(party: OcpiPartyId, reservationId: string): string {
  return `${keyOfParty(party)}/${reservationId.toLowerCase()}`
}

export const ocpiReservationsTable = defineTable<OcpiReservation>({
  name: 'ocpi_reservations',
  key: (row) => [row.partner_id, row.partner_reservation_id],
  indexes: {
    byReservation: (row) => [{ group: [row.reservation_id] }],
    byTime: (row) => [{ group: [], order: [row.expires_at] }],
  },
  uncounted: ['byReservation', 'byTime'],
  retention: { milliseconds: 30 * 24 * 3_600_000, timeOf: (row) => row.expires_at, index: 'byTime' },
})
