// Rollouts of firmware.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/rollouts',
  title: 'Firmware rollouts',
  navigation: { group: 'Operate', order: 60, icon: 'layers' },
  scopes: ['read:charge_points'],
  load: () => import('./rollouts.js'),
})
