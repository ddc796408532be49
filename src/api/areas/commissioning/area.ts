// The area of commissioning.

import { defineArea } from '../../pipeline/area.js'
import { installer } from '../../surfaces/installer.js'

export const area = defineArea(installer, {
  tag: 'Commissioning',
  about: 'Test a charge point that you install step by step, with evidence of each step.',
  path: '/api/v1/installer/commissioning',
})
