// Reservations: made with the charge point's consent (ReserveNow), listed, and cancelled, also while it is away.

import { Type } from 'typebox'
import { chargePointAddress } from '../../../actors/charge-point/messages.js'
import type { ReservationMessage, ReserveReply } from '../../../actors/charge-point/reservation-messages.js'
import { callErrors, ocppRejected } from '../../../actors/command-router/errors.js'
import { writeTimestamp } from '../../../ocpp16/index.js'
import { foldIdTag, idTagsTable } from '../../../records/id-tag.js'
import {
  type Reservation,
  reservationStatus,
  reservationStatuses,
  reservationsTable,
} from '../../../records/reservation.js'
import { AmpshardError, conflict, notFound, overloaded, validationError } from '../../../runtime/errors.js'
import type { ListQuery } from '../../../runtime/store/store.js'
import { askActor } from '../../pipeline/ask-actor.js'
import { defineList } from '../../pipeline/list-route.js'
import { type List, readPage } from '../../pipeline/paging.js'
import { defineRoute } from '../../pipeline/route.js'
import { chargePointId, connectorId, idTagText, named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import { type Principal, principalName } from '../../surfaces/principal.js'
import { ownChargePoint, requireConnector } from '../charge-points/charge-points.js'
import { defaultTimeoutSeconds, type RecordedCommand, requireAccepted, runCommand } from '../commands/run-command.js'

const actorAnswersMs = 5_000

const reservationSchema = named('Reservation', {
  reservation_id: Type.String(),
  ocpp_reservation_id: Type.Integer({ description: 'its number towards the charge point' }),
  charge_point_id: Type.String(),
  connector_id: Type.Integer(),
  id_tag: Type.String(),
  parent_id_tag: nullable(Type.String({ description: 'the group whose tags may use it too' })),
  expiry_date: timestamp(),
  status: Type.Enum([...reservationStatuses]),
  created_at: timestamp(),
  ended_at: nullable(timestamp()),
  session_id: nullable(Type.String({ description: 'of the charge that used it' })),
  cancel_reason: nullable(Type.String()),
})

function reservationView(row: Reservation, now: number) {
  const status = reservationStatus(row, now)
  return {
    reservation_id: row.reservation_id,
    ocpp_reservation_id: row.ocpp_reservation_id,
    charge_point_id: row.charge_point_id,
    connector_id: row.connector_id,
    id_tag: row.id_tag,
    parent_id_tag: row.parent_id_tag ?? null,
    expiry_date: row.expiry_date,
    status,
    created_at: row.created_at,
    ended_at: row.ended_at ?? (status === 'expired' ? row.expiry_date : null),
    session_id: row.session_id ?? null,
    cancel_reason: row.cancel_reason ?? null,
  }
}

interface Wanted {
  readonly id_tag: string
  readonly expiry_date: string
}

function checked(wanted: Wanted, now: number): number {
  const expiresAt = parseTimestamp(wanted.expiry_date) ?? 0
  if (expiresAt <= now) throw invalid('/expiry_date', 'lies in the past')
  return expiresAt
}

function invalid(path: string, message: string): AmpshardError {
  return validationError(`${path} ${message}`, { details: [{ path, message }] })
}

const createReservation = defineRoute({
  method: 'POST',
  path: '/api/v1/reservations',
  operationId: 'createReservation',
  summary: 'Reserve a connector for an id tag',
  description:
    'Sends ReserveNow; nothing is stored when the charge point refuses. One that it never answers is kept as cancelled, and the charge point is told so when it can hear it. Connector 0 is any connector, where the charge point supports it. Tags of the same group (`parent_id_tag`) may use the reservation too. It ends with the session that uses it, at its `expiry_date`, by cancellation, or when the charge point reports the connector faulted or unavailable.',
  tags: ['Reservations'],
  surface: operator,
  scopes: ['write:charge_points'],
  body: Type.Object({
    charge_point_id: chargePointId(),
    connector_id: connectorId(0),
    expiry_date: timestamp(),
    id_tag: idTagText(),
  }),
  responses: { 201: reservationSchema },
  errors: [notFound, conflict, ...callErrors, ocppRejected],
  sheddable: 'command',
  examples: {
    reserve: { charge_point_id: 'CP-1', connector_id: 1, expiry_date: '2030-01-01T12:00:00Z', id_tag: 'TAG-1' },
  },
  async handle({ principal, body }, services) {
    const view = services.view()
    const chargePoint = ownChargePoint(view, principal, body.charge_point_id)
    const { charge_point_id, organization_id } = chargePoint
    const now = services.clock.now()
    const expiresAt = checked(body, now)
    requireConnector(view, chargePoint, body.connector_id)
    const tellActor = (message: ReservationMessage): Promise<unknown> =>
      askActor(services, chargePointAddress(charge_point_id), message, { withinMs: actorAnswersMs })
    const held = (await tellActor({ type: 'reserve', connectorId: body.connector_id })) as ReserveReply
    if (held.type === 'taken')
      throw conflict('this connector has an active reservation already', {
        chargePointId: charge_point_id,
      })
    const parent = view.get(idTagsTable, [organization_id, foldIdTag(body.id_tag)])?.parent_id_tag
    const reservation: Reservation = {
      reservation_id: services.newId('res'),
      ocpp_reservation_id: held.number,
      organization_id,
      charge_point_id,
      connector_id: body.connector_id,
      id_tag: body.id_tag,
      ...(parent !== undefined && { parent_id_tag: parent }),
      status: 'active',
      expiry_date: formatTimestamp(expiresAt),
      created_at: formatTimestamp(now),
    }
    await reserveNow(principal, reservation, services)
    await tellActor({ type: 'reserved', reservation })
    return { status: 201, body: reservationView(reservation, now) }
  },
})

/** Throws unless the charge point accepts. */
async function reserveNow(principal: Principal, reservation: Reservation, services: Services): Promise<void> {
  const { charge_point_id, connector_id, id_tag, parent_id_tag, expiry_date, ocpp_reservation_id } = reservation
  const payload = {
    connectorId: connector_id,
    expiryDate: writeTimestamp(Date.parse(expiry_date)),
    idTag: id_tag,
    ...(parent_id_tag !== undefined && { parentIdTag: parent_id_tag }),
    reservationId: ocpp_reservation_id,
  }
  let recorded: RecordedCommand | undefined
  try {
    recorded = await runCommand(
      principal,
      {
        chargePointId: charge_point_id,
        command: 'ReserveNow',
        parameters: payload,
        call: { action: 'ReserveNow', payload },
        timeoutMs: defaultTimeoutSeconds * 1_000,
      },
      services,
    )
    requireAccepted(recorded)
  } catch (error) {
    // Without an answer the charge point may have it all the same.
    const heard = recorded?.outcome.type
    const unsent = error instanceof AmpshardError && error.code === 'rate_limited'
    const uncertain = !unsent && (heard === undefined || heard === 'timeout' || heard === 'connection-lost')
    const message: ReservationMessage = uncertain
      ? { type: 'reservation-unanswered', reservation, by: principalName(principal) }
      : { type: 'reservation-dropped', number: ocpp_reservation_id }
    services.tell(chargePointAddress(charge_point_id), message)
    throw error
  }
}

const listReservations = defineList({
  surface: operator,
  path: '/api/v1/reservations',
  operationId: 'listReservations',
  summary: 'List reservations',
  description:
    'The newest first; filtered by `status`, those that end last first. Those that were made by a raw ReserveNow are among them.',
  tags: ['Reservations'],
  scopes: ['read:charge_points'],
  filters: {
    charge_point_id: Type.Optional(chargePointId()),
    status: Type.Optional(Type.Enum([...reservationStatuses])),
  },
  row: reservationSchema,
  perPage: 50,
  maximum: 200,
  read({ principal, query }, services) {
    const now = services.clock.now()
    const { rows, total } = readPage({
      view: services.view(),
      table: reservationsTable,
      list: listOf(principal.organization.organization_id, query.charge_point_id, query.status),
      query,
      between: query.status === 'active' ? notOver(now) : undefined,
      newestFirst: true,
    })
    const data = rows.map((row) => reservationView(row, now))
    return { rows: data, total }
  },
})

/** One that is over, but not written so yet, is not active. */
function notOver(now: number): ListQuery {
  return { from: [now + 1] }
}

function listOf(organizationId: string, chargePoint: string | undefined, status: string | undefined): List {
  if (chargePoint !== undefined && status !== undefined)
    return { index: 'byChargePointStatus', group: [organizationId, chargePoint, status] }
  if (chargePoint !== undefined) return { index: 'byChargePoint', group: [organizationId, chargePoint] }
  if (status !== undefined) return { index: 'byStatus', group: [organizationId, status] }
  return { index: 'byOrganization', group: [organizationId] }
}

const cancelReservation = defineRoute({
  method: 'DELETE',
  path: '/api/v1/reservations/{reservation_id}',
  operationId: 'cancelReservation',
  summary: 'Cancel a reservation',
  description:
    'It is cancelled at once. The charge point is sent CancelReservation, when it next connects if it is away. One that has been used or has expired stays as it is.',
  tags: ['Reservations'],
  surface: operator,
  scopes: ['write:charge_points'],
  params: Type.Object({ reservation_id: Type.String({ maxLength: 64 }) }),
  responses: { 204: null },
  errors: [notFound, overloaded],
  sheddable: 'never',
  async handle({ principal, params }, services) {
    const reservation = services.view().get(reservationsTable, [params.reservation_id])
    if (reservation?.organization_id !== principal.organization.organization_id)
      throw notFound('there is no such reservation')
    const message: ReservationMessage = {
      type: 'cancel-reservation',
      reservationId: reservation.reservation_id,
      by: principalName(principal),
    }
    await askActor(services, chargePointAddress(reservation.charge_point_id), message, { withinMs: actorAnswersMs })
    return { status: 204 }
  },
})

export const reservationRoutes = [createReservation, listReservations, cancelReservation]
