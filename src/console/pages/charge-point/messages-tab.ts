// What it and the service have said to each other.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/charge-points/:charge_point_id/messages',
  title: 'Messages',
  scopes: ['read:messages'],
  tab: { frame: 'charge-point', order: 20, name: 'Messages' },
  load: () => import('./messages.js'),
})
