// The area of firmware: which versions charge points run, and rollouts of new ones.

import { firmwareRolloutsTable } from '../../../records/firmware-rollout.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Firmware',
  about: 'See which firmware charge points run, and install another one in stages.',
  path: '/api/v1/cpo',
  read: 'read:charge_points',
  write: 'write:charge_points',
})

export const rollouts = defineOwned({
  table: firmwareRolloutsTable,
  id: 'rollout_id',
  idPrefix: 'rol',
  called: 'rollout',
})
