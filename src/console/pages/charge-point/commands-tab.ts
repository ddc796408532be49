// What was asked of it, and what it has answered.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/charge-points/:charge_point_id/commands',
  title: 'Commands',
  scopes: ['read:charge_points'],
  tab: { frame: 'charge-point', order: 60, name: 'Commands' },
  load: () => import('./commands.js'),
})
