// Id tags that were seen, and that nobody has registered.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/id-tags/unknown',
  title: 'Unknown id tags',
  scopes: ['read:charge_points'],
  tab: { frame: 'id-tags', order: 20, name: 'Unknown' },
  load: () => import('./unknown.js'),
})
