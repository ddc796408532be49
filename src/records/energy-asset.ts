// What gives power at a site besides its grid connection. Written by the API under its version.

import { defineTable } from '../runtime/store/table.js'

export const energyAssetTypes = ['solar', 'battery', 'wind', 'generator'] as const
export type EnergyAssetType = (typeof energyAssetTypes)[number]

export interface EnergyAsset {
  readonly asset_id: string
  readonly site_id: string
  readonly organization_id: string
  readonly version: number
  readonly type: EnergyAssetType
  readonly name: string
  readonly rated_capacity_kw: number
  readonly metadata: Readonly<Record<string, string | number | boolean>>
  readonly created_at: string
  readonly updated_at: string
}

export const energyAssetsTable = defineTable<EnergyAsset>({
  name: 'energy_assets',
  key: (row) => [row.asset_id],
  indexes: { bySite: (row) => [{ group: [row.site_id] }] },
})

/** What may be counted on, kW: what is said to be available; of those that give power at will, else what they are rated for. */
export function availableKw({ type, rated_capacity_kw, metadata }: EnergyAsset): number {
  const { available_kw } = metadata
  if (typeof available_kw === 'number' && available_kw >= 0) return Math.min(available_kw, rated_capacity_kw)
  return type === 'battery' || type === 'generator' ? rated_capacity_kw : 0
}
