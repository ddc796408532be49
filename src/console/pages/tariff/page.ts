// One tariff, to be read and changed.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/tariffs/:tariff_id',
  title: 'Tariff',
  scopes: ['read:billing'],
  load: () => import('./tariff.js'),
})
