// A roaming partner whose driver had reserved is told when somebody else has cancelled that (OCPI 2.2.1, 13.4.3): at the address that it named for the
// result of its RESERVE_NOW. It is owed that from the commit of the cancellation on.

import type { CommandResult } from '../../ocpi/schemas/command.js'
import { ocpiReservationsTable } from '../../records/ocpi-command.js'
import { type OcpiCommandResult, ocpiCommandResultsTable } from '../../records/ocpi-command-result.js'
import type { Reservation } from '../../records/reservation.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { type CommandResultMessage, ocpiPartnerAddress } from '../messages/ocpi-partner.js'

type CancelReason = NonNullable<Reservation['cancel_reason']>

const words: Readonly<Partial<Record<CancelReason, string>>> = {
  operator: 'The operator has cancelled the reservation.',
  connector_faulted: 'The connector is faulted.',
  connector_unavailable: 'The connector is not available any more.',
  charge_point_removed: 'The charge point has been removed.',
}

/** Nothing for a reservation of nobody's driver, for one that the partner has cancelled itself, and for one that it was never told of. */
export function tellPartner(
  { reservation_id, cancel_reason, cancel_owed_by, roaming }: Reservation,
  context: Context,
): readonly Effect[] {
  const text = cancel_reason === undefined ? undefined : words[cancel_reason]
  if (text === undefined) return []
  const [row] = context.read().listBy(ocpiReservationsTable, 'byReservation', [reservation_id], { limit: 1 })
  if (row === undefined || cancel_owed_by === `ocpi_partner:${row.partner_id}`) return []
  const result: CommandResult = { result: 'CANCELED_RESERVATION', message: [{ language: 'en', text }] }
  const owed: OcpiCommandResult = {
    partner_id: row.partner_id,
    result_id: `cancelled/${reservation_id}`,
    url: row.response_url,
    ...(roaming !== undefined && { for_party: { country_code: roaming.country_code, party_id: roaming.party_id } }),
    accepted_at: context.now(),
    run: 0,
    result,
    attempts: 0,
  }
  const message: CommandResultMessage = { type: 'command-result', owed, result }
  return [effect.put(ocpiCommandResultsTable, owed), effect.send(ocpiPartnerAddress(row.partner_id), message)]
}
