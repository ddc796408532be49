// All charge points: where they are, how they are, and what needs attention.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/fleet',
  title: 'Fleet',
  key: 'f',
  navigation: { group: 'Operate', order: 10, icon: 'map', phone: true, holds: ['/charge-points'] },
  scopes: ['read:charge_points'],
  load: () => import('./fleet.js'),
  ahead: async () => (await import('../../client/fleet.js')).readAhead(),
})
