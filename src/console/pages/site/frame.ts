// The head of a site's pages, and their tabs.

import { defineFrame } from '../../app/pages.js'

export const frame = defineFrame({ name: 'site', load: () => import('./site-frame.js') })
