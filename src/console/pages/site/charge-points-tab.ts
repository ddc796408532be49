// Which charge points are in a site.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/sites/:site_id/charge-points',
  title: 'Charge points',
  scopes: ['read:charge_points'],
  tab: { frame: 'site', order: 20, name: 'Charge points' },
  load: () => import('./charge-points.js'),
})
