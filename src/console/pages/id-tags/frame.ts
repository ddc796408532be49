// The head of the pages about id tags, and their tabs.

import { defineFrame } from '../../app/pages.js'

export const frame = defineFrame({ name: 'id-tags', load: () => import('./id-tags-frame.js') })
