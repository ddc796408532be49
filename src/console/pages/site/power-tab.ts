// How a site shares its power, and what gives power there beside the grid.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/sites/:site_id/power',
  title: 'Power',
  scopes: ['read:charge_points'],
  tab: { frame: 'site', order: 30, name: 'Power' },
  load: () => import('./power.js'),
})
