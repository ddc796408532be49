// The owners of sites.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/site-owners',
  title: 'Site owners',
  navigation: { group: 'System', order: 81, icon: 'award' },
  scopes: ['read:organisations'],
  load: () => import('./site-owners.js'),
})
