// The load runs that were reported.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/load-runs',
  title: 'Load runs',
  navigation: { group: 'System', order: 12, icon: 'activity' },
  scopes: ['read:analytics'],
  feature: 'operates_installation',
  load: () => import('./load-runs.js'),
})
