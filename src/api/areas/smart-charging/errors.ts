// Why the power of a site is not shared as asked.

import { defineError } from '../../../runtime/errors.js'

export const exceedsGridCapacity = defineError('exceeds_grid_capacity', {
  status: 422,
  meaning: 'The configuration would take more power than the grid connection of the site holds (max_grid_power_kw).',
})

export const siteNotManaged = defineError('site_not_managed', {
  status: 409,
  meaning: 'The site has no smart-charging configuration, so its power is not shared. Set one first.',
})
