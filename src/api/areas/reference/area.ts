// The area of the reference: the interface's own description, open to anyone who can reach it.

import { defineArea } from '../../pipeline/area.js'
import { anyone } from '../../surfaces/anyone.js'

export const area = defineArea(anyone, {
  tag: 'Reference',
  about: 'This document and the page that shows it.',
  path: '',
})
