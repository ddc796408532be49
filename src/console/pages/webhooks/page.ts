// Endpoints that receive events, and what has become of each delivery.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/webhooks',
  title: 'Webhooks',
  navigation: { group: 'System', order: 60, icon: 'webhook' },
  scopes: ['read:webhooks'],
  load: () => import('./webhooks.js'),
})
