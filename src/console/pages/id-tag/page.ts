// One id tag.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/id-tags/:id_tag',
  title: 'Id tag',
  scopes: ['read:charge_points'],
  load: () => import('./id-tag.js'),
})
