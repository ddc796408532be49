// As whom the organization appears to roaming partners.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/roaming/party',
  title: 'Roaming party',
  scopes: ['read:ocpi'],
  tab: { frame: 'roaming', order: 40, name: 'Your party' },
  load: () => import('./party.js'),
})
