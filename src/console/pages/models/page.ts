// The models of charge points.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/models',
  title: 'Models',
  navigation: { group: 'Operate', order: 65, icon: 'cpu', holds: ['/templates'] },
  scopes: ['read:charge_points'],
  tab: { frame: 'models', order: 10, name: 'Models' },
  load: () => import('./models.js'),
})
