// The area of charge points: the registry of an organization, and what is known of each now.

import { chargePointsTable } from '../../../records/charge-point.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { chargePointId } from '../../pipeline/schemas.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Charge points',
  about: 'Register charge points, find them, and see their state, their connectors and why one was refused.',
  path: '/api/v1',
  read: 'read:charge_points',
  write: 'write:charge_points',
})

export const chargePoints = defineOwned({
  table: chargePointsTable,
  id: 'charge_point_id',
  called: 'charge point',
  schema: chargePointId(),
  extras: (chargePointId) => ({ chargePointId }),
})
