// What charging costs at it.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/charge-points/:charge_point_id/money',
  title: 'Money',
  scopes: ['read:billing'],
  tab: { frame: 'charge-point', order: 70, name: 'Money' },
  load: () => import('./money.js'),
})
