// One's own account: who is signed in, with what, and where.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/account',
  title: 'Account',
  navigation: { group: 'System', order: 95, icon: 'user' },
  load: () => import('./account.js'),
})
