// How it proves who it is, and how it comes to prove it better.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/charge-points/:charge_point_id/security',
  title: 'Security',
  scopes: ['read:charge_points'],
  tab: { frame: 'charge-point', order: 45, name: 'Security' },
  load: () => import('./security.js'),
})
