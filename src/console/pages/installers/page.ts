// The installers of the installation, whom its operator reviews.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/installers',
  title: 'Installers',
  navigation: { group: 'System', order: 82, icon: 'wrench' },
  scopes: ['read:organisations'],
  feature: 'operates_installation',
  load: () => import('./installers.js'),
})
