// Which tariffs roaming partners are offered.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/roaming/tariffs',
  title: 'Roaming tariffs',
  scopes: ['read:ocpi'],
  tab: { frame: 'roaming', order: 30, name: 'Tariffs' },
  load: () => import('./tariffs.js'),
})
