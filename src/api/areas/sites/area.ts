// The area of sites: charge points behind one grid connection, and what else gives power there. How a site shares its power is another area.

import { energyAssetsTable } from '../../../records/energy-asset.js'
import { sitesTable } from '../../../records/site.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Sites',
  about: 'Sites: charge points that share a grid connection, and the energy assets that give power besides.',
  path: '/api/v1/sites',
  read: 'read:charge_points',
  write: 'write:charge_points',
})

export const sites = defineOwned({ table: sitesTable, id: 'site_id', idPrefix: 'site', called: 'site' })

export const energyAssets = defineOwned({
  table: energyAssetsTable,
  id: 'asset_id',
  idPrefix: 'ast',
  called: 'energy asset',
})
