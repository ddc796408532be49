// What it does against the standard.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/charge-points/:charge_point_id/conformance',
  title: 'Conformance',
  scopes: ['read:charge_points'],
  tab: { frame: 'charge-point', order: 50, name: 'Conformance' },
  load: () => import('./conformance.js'),
})
