// Asks a charge point to keep a connector (ReserveNow), and has its actor note what became of it.

import { chargePointAddress } from '../../../actors/charge-point/messages.js'
import type { ReservationMessage, ReserveReply } from '../../../actors/charge-point/reservation-messages.js'
import { callOf, reserveNow as message, writeTimestamp } from '../../../ocpp16/index.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import type { Reservation } from '../../../records/reservation.js'
import { AmpshardError, conflict } from '../../../runtime/errors.js'
import { askActor } from '../../pipeline/ask-actor.js'
import type { Services } from '../../pipeline/services.js'
import {
  type Commander,
  commanderName,
  defaultTimeoutSeconds,
  type RecordedCommand,
  requireAccepted,
  runCommand,
} from '../commands/run-command.js'

const actorAnswersMs = 5_000

/** Asks the charge point's actor. Throws `overloaded`. */
export function askChargePoint(
  services: Services,
  { charge_point_id }: Pick<ChargePoint, 'charge_point_id'>,
  message: ReservationMessage,
): Promise<unknown> {
  return askActor(services, chargePointAddress(charge_point_id), message, { withinMs: actorAnswersMs })
}

/** Resolves with the reservation's number, while the connector is held for it. Throws `conflict`. */
export async function holdConnector(
  services: Services,
  chargePoint: ChargePoint,
  connectorId: number,
): Promise<number> {
  const held = (await askChargePoint(services, chargePoint, { type: 'reserve', connectorId })) as ReserveReply
  if (held.type !== 'taken') return held.number
  const { charge_point_id: chargePointId } = chargePoint
  throw conflict('this connector already has an active reservation', { chargePointId })
}

/** Throws unless the charge point accepts: what `requireAccepted` throws. */
export async function reserveNow(principal: Commander, reservation: Reservation, services: Services): Promise<void> {
  requireAccepted(await sendReserveNow(principal, reservation, services))
}

/** Resolves with whatever became of it; where the charge point has not accepted, its actor knows so. */
export async function sendReserveNow(
  principal: Commander,
  reservation: Reservation,
  services: Services,
): Promise<RecordedCommand> {
  const { charge_point_id, connector_id, id_tag, parent_id_tag, expiry_date, ocpp_reservation_id } = reservation
  const call = callOf(message, {
    connectorId: connector_id,
    expiryDate: writeTimestamp(Date.parse(expiry_date)),
    idTag: id_tag,
    ...(parent_id_tag !== undefined && { parentIdTag: parent_id_tag }),
    reservationId: ocpp_reservation_id,
  })
  const isNot = (recorded?: RecordedCommand, error?: unknown): void => {
    const ended: ReservationMessage = mayBeKept(error, recorded)
      ? { type: 'reservation-unanswered', reservation, by: commanderName(principal) }
      : { type: 'reservation-dropped', number: ocpp_reservation_id }
    services.tell(chargePointAddress(charge_point_id), ended)
  }
  try {
    const recorded = await runCommand(
      principal,
      {
        chargePointId: charge_point_id,
        command: call.action,
        parameters: call.payload,
        call,
        timeoutMs: defaultTimeoutSeconds * 1_000,
      },
      services,
    )
    if (recorded.record.status !== 'Accepted') isNot(recorded)
    return recorded
  } catch (error) {
    isNot(undefined, error)
    throw error
  }
}

/** Without an answer the charge point may have it all the same, unless nothing was sent. */
function mayBeKept(error: unknown, recorded: RecordedCommand | undefined): boolean {
  if (error instanceof AmpshardError && error.code === 'rate_limited') return false
  const heard = recorded?.outcome.type
  return heard === undefined || heard === 'timeout' || heard === 'connection-lost'
}
