// Transaction messages that match no session.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/unmatched',
  title: 'Unmatched stops',
  scopes: ['read:sessions'],
  load: () => import('./unmatched.js'),
})
