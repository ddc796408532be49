// The reservations of connectors.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/reservations',
  title: 'Reservations',
  navigation: { group: 'Operate', order: 37, icon: 'calendar' },
  scopes: ['read:charge_points'],
  load: () => import('./reservations.js'),
})
