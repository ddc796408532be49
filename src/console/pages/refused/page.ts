// The charge points that are refused now.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/refused',
  title: 'Refused',
  navigation: { group: 'Operate', order: 50, icon: 'unplug' },
  key: 'r',
  scopes: ['read:charge_points'],
  load: () => import('./refused.js'),
})
