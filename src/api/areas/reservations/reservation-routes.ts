// Reservations: made with the charge point's consent, listed, and cancelled, also while it is away.

import { Type } from 'typebox'
import { callErrors, ocppRejected } from '../../../actors/command-router/errors.js'
import { foldIdTag, idTagsTable } from '../../../records/id-tag.js'
import { type Reservation, reservationStatuses, reservationsTable } from '../../../records/reservation.js'
import { conflict, notFound, overloaded } from '../../../runtime/errors.js'
import type { ListQuery } from '../../../runtime/store/store.js'
import { type List, readLongPage } from '../../pipeline/paging.js'
import { chargePointId, connectorId, idTagText, timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { principalName } from '../../surfaces/principal.js'
import { chargePoints } from '../charge-points/area.js'
import { requireConnector } from '../charge-points/charge-points.js'
import { area, reservations } from './area.js'
import { reservationSchema, reservationView } from './reservations.js'
import { askChargePoint, holdConnector, reserveNow } from './reserve-now.js'

const createReservation = area.route({
  method: 'POST',
  path: '',
  operationId: 'createReservation',
  summary: 'Reserve a connector for an id tag',
  description:
    'Sends ReserveNow to the charge point. If the charge point refuses, nothing is stored. If it does not answer, the reservation is stored ' +
    'as cancelled, and CancelReservation is sent as soon as the charge point can receive it. Connector 0 means any connector, if the charge ' +
    'point supports it. Id tags of the same group (`parent_id_tag`) may use the reservation, too. A reservation ends with the session that ' +
    'uses it, at its `expiry_date`, when it is cancelled, or when the charge point reports the connector as faulted or unavailable.',
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
  async handle({ principal, body: { charge_point_id, connector_id, expiry_date, id_tag } }, services) {
    const view = services.view()
    const chargePoint = chargePoints.own(view, principal, charge_point_id)
    const { organization_id } = chargePoint
    const now = services.clock.now()
    const expiresAt = parseTimestamp(expiry_date) ?? 0
    if (expiresAt <= now) throw invalid([{ path: '/expiry_date', message: 'is in the past' }])
    requireConnector(view, chargePoint, connector_id)
    const ocpp_reservation_id = await holdConnector(services, chargePoint, connector_id)
    const parent = view.get(idTagsTable, [organization_id, foldIdTag(id_tag)])?.parent_id_tag
    const reservation: Reservation = {
      reservation_id: services.newId('res'),
      ocpp_reservation_id,
      organization_id,
      charge_point_id,
      connector_id,
      id_tag,
      ...(parent !== undefined && { parent_id_tag: parent }),
      status: 'active',
      expiry_date: formatTimestamp(expiresAt),
      created_at: formatTimestamp(now),
    }
    await reserveNow(principal, reservation, services)
    await askChargePoint(services, chargePoint, { type: 'reserved', reservation })
    return { status: 201, body: reservationView(reservation, now) }
  },
})

const listReservations = area.list('', {
  operationId: 'listReservations',
  summary: 'List reservations',
  description:
    'The newest come first; with `status`, those that end last come first. Reservations that were made by a raw ReserveNow are included.',
  filters: {
    charge_point_id: Type.Optional(chargePointId()),
    status: Type.Optional(
      Type.Enum([...reservationStatuses], { description: 'Returns only reservations with this status.' }),
    ),
  },
  row: reservationSchema,
  perPage: 50,
  maximum: 200,
  async read({ principal, query }, services) {
    const now = services.clock.now()
    const { organization_id } = principal.organization
    const { rows, total } = await readLongPage({
      view: services.view(),
      begin: services.longReads.of(organization_id),
      table: reservationsTable,
      list: listOf(organization_id, query.charge_point_id, query.status),
      query,
      between: query.status === 'active' ? notOver(now) : undefined,
      newestFirst: true,
    })
    return { rows: rows.map((row) => reservationView(row, now)), total }
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

const cancelReservation = area.route({
  method: 'DELETE',
  path: '/{reservation_id}',
  operationId: 'cancelReservation',
  summary: 'Cancel a reservation',
  description:
    'The reservation is cancelled at once. The charge point is sent CancelReservation, or if it is offline, as soon as it connects. A ' +
    'reservation that has been used or has expired does not change.',
  of: reservations,
  responses: { 204: null },
  errors: [overloaded],
  async handle({ row, principal }, services) {
    const { reservation_id: reservationId } = row
    await askChargePoint(services, row, { type: 'cancel-reservation', reservationId, by: principalName(principal) })
    return { status: 204 }
  },
})

export const reservationRoutes = [createReservation, listReservations, cancelReservation]
