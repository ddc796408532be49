// The area of reservations: connectors that a charge point keeps for an id tag. Their rows are written by the charge point's actor alone.

import { reservationsTable } from '../../../records/reservation.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Reservations',
  about: 'Keep a connector for one id tag until a time.',
  path: '/api/v1/reservations',
  read: 'read:charge_points',
  write: 'write:charge_points',
})

export const reservations = defineOwned({
  table: reservationsTable,
  id: 'reservation_id',
  idPrefix: 'res',
  called: 'reservation',
})
