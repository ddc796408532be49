// The area of tariffs: what charging costs. A session keeps a copy of the tariff of its start, so a change here is for new sessions only.

import { tariffsTable } from '../../../records/tariff.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Tariffs',
  about: 'What charging costs: components, rates by time, and which charge point sells at which tariff.',
  path: '/api/v1',
  read: 'read:billing',
  write: 'write:billing',
})

export const tariffs = defineOwned({ table: tariffsTable, id: 'tariff_id', idPrefix: 'trf', called: 'tariff' })
