// What was said to a roaming partner, and what it said.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/roaming/partners/:partner_id/exchanges',
  title: 'Exchanges',
  scopes: ['read:ocpi'],
  tab: { frame: 'partner', order: 20, name: 'Exchanges' },
  load: () => import('./exchanges.js'),
})
