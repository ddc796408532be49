// One owner of sites.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/site-owners/:site_owner_id',
  title: 'Site owner',
  scopes: ['read:organisations'],
  load: () => import('./site-owner.js'),
})
