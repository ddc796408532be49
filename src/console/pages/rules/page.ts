// The billing rules of the organization.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/rules',
  title: 'Billing rules',
  navigation: { group: 'Money', order: 20, icon: 'list-checks' },
  scopes: ['read:billing'],
  load: () => import('./rules.js'),
})
