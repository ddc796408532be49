// One rollout of firmware.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/rollouts/:rollout_id',
  title: 'Firmware rollout',
  scopes: ['read:charge_points'],
  load: () => import('./rollout.js'),
})
