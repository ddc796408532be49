// Which places roaming partners see.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/roaming/locations',
  title: 'Roaming locations',
  scopes: ['read:ocpi'],
  tab: { frame: 'roaming', order: 20, name: 'Locations' },
  load: () => import('./locations.js'),
})
