// The roaming partners of the organization.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/roaming',
  title: 'Roaming',
  navigation: { group: 'Operate', order: 70, icon: 'network' },
  scopes: ['read:ocpi'],
  tab: { frame: 'roaming', order: 10, name: 'Partners' },
  load: () => import('./partners.js'),
})
