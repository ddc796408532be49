// What happens, as it happens.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/events',
  title: 'Events',
  navigation: { group: 'System', order: 50, icon: 'radio' },
  scopes: ['read:webhooks'],
  load: () => import('./events.js'),
})
