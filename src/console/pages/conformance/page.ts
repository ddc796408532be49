// What charge points do against the standard, by model and firmware.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/conformance',
  title: 'Conformance',
  navigation: { group: 'Operate', order: 55, icon: 'git-compare' },
  key: 'd',
  scopes: ['read:charge_points'],
  load: () => import('./conformance.js'),
})
