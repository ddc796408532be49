// The area of configuration: templates, what a charge point is to have, and what it has.

import { configurationTemplatesTable } from '../../../records/configuration-template.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Configuration',
  about: 'Which configuration keys charge points are to have, how they are applied, and where a charge point differs.',
  path: '/api/v1',
  read: 'read:charge_points',
  write: 'write:charge_points',
})

export const templates = defineOwned({
  table: configurationTemplatesTable,
  id: 'template_id',
  idPrefix: 'tpl',
  called: 'template',
})
