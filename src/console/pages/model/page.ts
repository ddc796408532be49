// One model of charge points.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/models/:model_id',
  title: 'Model',
  scopes: ['read:charge_points'],
  load: () => import('./model.js'),
})
