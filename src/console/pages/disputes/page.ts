// What drivers dispute, and what they are answered.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/disputes',
  title: 'Disputes',
  navigation: { group: 'Money', order: 50, icon: 'scale' },
  scopes: ['read:billing'],
  load: () => import('./disputes.js'),
})
