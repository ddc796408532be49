// The head of the pages about roaming, and their tabs.

import { defineFrame } from '../../app/pages.js'

export const frame = defineFrame({ name: 'roaming', load: () => import('./roaming-frame.js') })
