// The settings of the organization.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/settings',
  title: 'Settings',
  navigation: { group: 'System', order: 85, icon: 'settings' },
  scopes: ['read:organisations'],
  load: () => import('./settings.js'),
})
