// How its installer has commissioned it, and what is still wrong with it.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/charge-points/:charge_point_id/commissioning',
  title: 'Commissioning',
  scopes: ['read:charge_points'],
  tab: { frame: 'charge-point', order: 55, name: 'Commissioning' },
  load: () => import('./commissioning.js'),
})
