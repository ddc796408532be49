// The energy assets of a site: created, listed, updated and deleted.

import { Type } from 'typebox'
import { type EnergyAsset, energyAssetsTable } from '../../../records/energy-asset.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import type { Draft } from '../../pipeline/draft.js'
import type { Tenant } from '../../pipeline/owned.js'
import { readPage } from '../../pipeline/paging.js'
import { named } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { announceSite } from '../charge-points/announce-site.js'
import { area, energyAssets, sites } from './area.js'
import { assetSchema, assetsOf, assetView, assetFields as fields, metadataFaults } from './energy-assets.js'
import { limits } from './limits.js'

const createEnergyAsset = area.post('/{site_id}/energy-assets', {
  operationId: 'createEnergyAsset',
  summary: 'Add an energy asset to a site',
  description: 'What the asset gives counts in smart charging, beside the power of the grid connection.',
  of: sites,
  body: named('NewEnergyAsset', fields),
  answer: assetSchema,
  status: 201,
  examples: {
    battery: { type: 'battery', name: 'Cellar battery', rated_capacity_kw: 30 },
    roof: { type: 'solar', name: 'Roof', rated_capacity_kw: 20, metadata: { available_kw: 4.5, panels: 48 } },
  },
  change({ row: site, body }, draft, services) {
    const faults = metadataFaults(body)
    if (faults.length > 0) throw invalid(faults)
    const tooMany = conflict(
      `a site has at most ${limits.energyAssetsOfSite} energy assets: delete one before you create another`,
    )
    draft.requireRoom(energyAssetsTable, assetsOf(site), limits.energyAssetsOfSite, tooMany)
    const { site_id, organization_id } = site
    const now = formatTimestamp(services.clock.now())
    const asset = draft.put(energyAssetsTable, {
      asset_id: services.newId('ast'),
      site_id,
      organization_id,
      type: body.type,
      name: body.name,
      rated_capacity_kw: body.rated_capacity_kw,
      metadata: body.metadata ?? {},
      created_at: now,
      updated_at: now,
    })
    announceSite(draft, site_id)
    return assetView(asset)
  },
})

const listEnergyAssets = area.list('/{site_id}/energy-assets', {
  operationId: 'listEnergyAssets',
  summary: 'List the energy assets of a site',
  of: sites,
  name: 'energy_assets',
  row: assetSchema,
  perPage: limits.energyAssetsOfSite,
  maximum: 200,
  read({ row: site, query }, services) {
    const { rows, total } = readPage({ view: services.view(), table: energyAssetsTable, list: assetsOf(site), query })
    return { rows: rows.map(assetView), total }
  },
})

const params = energyAssets.params.properties

/** Throws `not_found`, also for one of another site. */
function assetAt(draft: Draft, principal: Tenant, siteId: string, assetId: string): EnergyAsset {
  const asset = energyAssets.own(draft, principal, assetId)
  if (asset.site_id === siteId) return asset
  throw notFound('there is no such energy asset')
}

const updateEnergyAsset = area.put('/{site_id}/energy-assets/{asset_id}', {
  operationId: 'updateEnergyAsset',
  summary: 'Update an energy asset',
  description: 'Fields that you leave out keep their values; `metadata` is replaced as a whole.',
  of: sites,
  params,
  body: Type.Object({
    name: Type.Optional(fields.name),
    rated_capacity_kw: Type.Optional(fields.rated_capacity_kw),
    metadata: fields.metadata,
  }),
  answer: assetSchema,
  examples: { sunnier: { metadata: { available_kw: 12 } } },
  change({ row: { site_id }, principal, params, body }, draft, services) {
    const faults = metadataFaults(body)
    if (faults.length > 0) throw invalid(faults)
    const before = assetAt(draft, principal, site_id, params.asset_id)
    const asset = draft.put(energyAssetsTable, {
      ...before,
      name: body.name ?? before.name,
      rated_capacity_kw: body.rated_capacity_kw ?? before.rated_capacity_kw,
      metadata: body.metadata ?? before.metadata,
      updated_at: formatTimestamp(services.clock.now()),
    })
    announceSite(draft, site_id)
    return assetView(asset)
  },
})

const deleteEnergyAsset = area.delete('/{site_id}/energy-assets/{asset_id}', {
  operationId: 'deleteEnergyAsset',
  summary: 'Delete an energy asset',
  of: sites,
  params,
  answer: null,
  change({ row: { site_id }, principal, params }, draft) {
    const asset = assetAt(draft, principal, site_id, params.asset_id)
    draft.remove(energyAssetsTable, energyAssetsTable.key(asset))
    announceSite(draft, site_id)
    return undefined
  },
})

export const energyAssetRoutes = [createEnergyAsset, listEnergyAssets, updateEnergyAsset, deleteEnergyAsset]
