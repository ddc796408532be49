// One site: how its power is shared, and why.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/sites/:site_id',
  title: 'Site',
  scopes: ['read:charge_points'],
  tab: { frame: 'site', order: 10, name: 'Now' },
  load: () => import('./site.js'),
})
