// The keys of the organization.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/api-keys',
  title: 'API keys',
  navigation: { group: 'System', order: 90, icon: 'key-round' },
  scopes: ['write:api_keys'],
  load: () => import('./api-keys.js'),
})
