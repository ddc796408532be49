// The head of the pages about models and their configuration, and their tabs.

import { defineFrame } from '../../app/pages.js'

export const frame = defineFrame({ name: 'models', load: () => import('./models-frame.js') })
