// What charging has brought in.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/revenue',
  title: 'Revenue',
  navigation: { group: 'Money', order: 30, icon: 'coins' },
  scopes: ['read:billing'],
  load: () => import('./revenue.js'),
})
