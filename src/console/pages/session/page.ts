// One session: what was charged, what happened, what it costs and why.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/sessions/:session_id',
  title: 'Session',
  scopes: ['read:sessions'],
  load: () => import('./session.js'),
})
