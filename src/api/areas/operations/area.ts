// The area of what runs the service: open to anyone who can reach it.

import { defineArea } from '../../pipeline/area.js'
import { anyone } from '../../surfaces/anyone.js'

export const area = defineArea(anyone, {
  tag: 'Operations',
  about: 'Whether the service is alive and ready, and its metrics.',
  path: '',
})
