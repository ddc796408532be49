// Who has changed it.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/charge-points/:charge_point_id/audit',
  title: 'Audit',
  scopes: ['read:organisations'],
  tab: { frame: 'charge-point', order: 80, name: 'Audit' },
  load: () => import('./audit.js'),
})
