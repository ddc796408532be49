// The head of a charge point's pages, and their tabs.

import { defineFrame } from '../../app/pages.js'

export const frame = defineFrame({ name: 'charge-point', load: () => import('./charge-point-frame.js') })
