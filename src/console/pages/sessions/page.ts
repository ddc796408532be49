// The sessions of the organization.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/sessions',
  title: 'Sessions',
  navigation: { group: 'Operate', order: 30, icon: 'battery-charging', phone: true },
  key: 's',
  scopes: ['read:sessions'],
  load: () => import('./sessions.js'),
})
