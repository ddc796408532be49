// The organizations of the installation.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/organizations',
  title: 'Organizations',
  navigation: { group: 'System', order: 15, icon: 'building' },
  scopes: ['read:organisations'],
  feature: 'operates_installation',
  load: () => import('./organizations.js'),
})
