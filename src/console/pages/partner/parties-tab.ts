// The parties that a hub connects.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/roaming/partners/:partner_id/parties',
  title: 'Parties',
  scopes: ['read:ocpi'],
  tab: { frame: 'partner', order: 40, name: 'Parties' },
  load: () => import('./parties.js'),
})
