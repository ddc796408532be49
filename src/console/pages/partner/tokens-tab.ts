// The tokens of a partner's drivers.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/roaming/partners/:partner_id/tokens',
  title: 'Tokens',
  scopes: ['read:ocpi'],
  tab: { frame: 'partner', order: 30, name: 'Tokens' },
  load: () => import('./tokens.js'),
})
