// One installer.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/installers/:installer_id',
  title: 'Installer',
  scopes: ['read:organisations'],
  feature: 'operates_installation',
  load: () => import('./installer.js'),
})
