// Templates of configurations.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/templates',
  title: 'Configuration templates',
  scopes: ['read:charge_points'],
  tab: { frame: 'models', order: 20, name: 'Configuration templates' },
  load: () => import('./templates.js'),
})
