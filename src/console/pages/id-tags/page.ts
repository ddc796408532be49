// The id tags of the organization.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/id-tags',
  title: 'Id tags',
  navigation: { group: 'Operate', order: 35, icon: 'credit-card' },
  scopes: ['read:charge_points'],
  tab: { frame: 'id-tags', order: 10, name: 'Registered' },
  load: () => import('./id-tags.js'),
})
