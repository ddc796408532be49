// The people of the organization.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/team',
  title: 'Team',
  navigation: { group: 'System', order: 80, icon: 'users' },
  scopes: ['read:organisations'],
  load: () => import('./team.js'),
})
