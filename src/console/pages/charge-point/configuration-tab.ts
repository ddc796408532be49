// What its configuration is to be, and what it says that it is.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/charge-points/:charge_point_id/configuration',
  title: 'Configuration',
  scopes: ['read:charge_points'],
  tab: { frame: 'charge-point', order: 40, name: 'Configuration' },
  load: () => import('./configuration.js'),
})
