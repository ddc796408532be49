// What the operator of the installation is asked to connect.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/roaming/requests',
  title: 'Integration requests',
  scopes: ['read:ocpi'],
  tab: { frame: 'roaming', order: 50, name: 'Requests' },
  load: () => import('./requests.js'),
})
