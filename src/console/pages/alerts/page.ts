// What needs attention.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/alerts',
  title: 'Alerts',
  navigation: { group: 'Operate', order: 20, icon: 'bell', phone: true },
  key: 'a',
  scopes: ['read:charge_points'],
  load: () => import('./alerts.js'),
})
