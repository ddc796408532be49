// What the charge point does now, or why it is not online.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/charge-points/:charge_point_id',
  title: 'Charge point',
  scopes: ['read:charge_points'],
  tab: { frame: 'charge-point', order: 10, name: 'Now' },
  load: () => import('./now.js'),
})
