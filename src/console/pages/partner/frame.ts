// The head of a roaming partner's pages, and their tabs.

import { defineFrame } from '../../app/pages.js'

export const frame = defineFrame({ name: 'partner', load: () => import('./partner-frame.js') })
