// A roaming partner: who it is, what it sees, and its modules.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/roaming/partners/:partner_id',
  title: 'Roaming partner',
  scopes: ['read:ocpi'],
  tab: { frame: 'partner', order: 10, name: 'Overview' },
  load: () => import('./overview.js'),
})
