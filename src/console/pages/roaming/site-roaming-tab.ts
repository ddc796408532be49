// What roaming partners are told of a site.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/sites/:site_id/roaming',
  title: 'Roaming',
  scopes: ['read:ocpi'],
  tab: { frame: 'site', order: 40, name: 'Roaming' },
  load: () => import('./site-roaming.js'),
})
