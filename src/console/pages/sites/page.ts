// The sites of the organization.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/sites',
  title: 'Sites',
  navigation: { group: 'Operate', order: 50, icon: 'map-pin' },
  scopes: ['read:charge_points'],
  load: () => import('./sites.js'),
})
