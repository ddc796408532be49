// The sessions of the charge point.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/charge-points/:charge_point_id/sessions',
  title: 'Sessions',
  scopes: ['read:sessions'],
  tab: { frame: 'charge-point', order: 30, name: 'Sessions' },
  load: () => import('./sessions.js'),
})
