// What roaming partners are told of a charge point.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/charge-points/:charge_point_id/roaming',
  title: 'Roaming',
  scopes: ['read:ocpi'],
  tab: { frame: 'charge-point', order: 75, name: 'Roaming' },
  load: () => import('./charge-point-roaming.js'),
})
