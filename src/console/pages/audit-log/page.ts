// Who changed what, and when.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/audit-log',
  title: 'Audit log',
  navigation: { group: 'System', order: 70, icon: 'scroll-text' },
  scopes: ['read:organisations'],
  load: () => import('./audit-log.js'),
})
