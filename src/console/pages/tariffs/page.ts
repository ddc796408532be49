// The tariffs of the organization.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/tariffs',
  title: 'Tariffs',
  navigation: { group: 'Money', order: 10, icon: 'tag' },
  key: 't',
  scopes: ['read:billing'],
  load: () => import('./tariffs.js'),
})
