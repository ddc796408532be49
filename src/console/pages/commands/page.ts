// What was asked of charge points: the commands to many of them that this tab runs, and the history of all.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/commands',
  title: 'Commands',
  key: 'c',
  navigation: { group: 'Operate', order: 40, icon: 'terminal' },
  scopes: ['read:charge_points'],
  load: () => import('./commands.js'),
})
