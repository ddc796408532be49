// One load run.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/load-runs/:run_id',
  title: 'Load run',
  scopes: ['read:analytics'],
  feature: 'operates_installation',
  load: () => import('./load-run.js'),
})
