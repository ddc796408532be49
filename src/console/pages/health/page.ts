// How the installation fares, for the organization that operates it.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/health',
  title: 'Health and load',
  navigation: { group: 'System', order: 10, icon: 'gauge' },
  key: 'h',
  scopes: ['read:analytics'],
  feature: 'operates_installation',
  load: () => import('./health.js'),
})
