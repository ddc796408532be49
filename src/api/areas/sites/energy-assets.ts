// Energy assets as callers send and see them, and what a schema cannot check of them.

import { type Static, Type } from 'typebox'
import { availableKw, type EnergyAsset, energyAssetTypes } from '../../../records/energy-asset.js'
import type { Site } from '../../../records/site.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import { line } from '../../../runtime/fault-words.js'
import { named, nameText, timestamp } from '../../pipeline/schemas.js'
import { limits } from './limits.js'

const type = Type.Enum([...energyAssetTypes], {
  description:
    'A `battery` or a `generator` adds its rated capacity to the budget of the site, unless `metadata.available_kw` says otherwise; `solar` and ' +
    '`wind` add only what `metadata.available_kw` says.',
})

const metadataText = Type.String({ maxLength: limits.metadataTextCharacters, ...line })

const metadata = Type.Record(
  Type.String({ minLength: 1, maxLength: limits.metadataNameCharacters, ...line }),
  Type.Union([metadataText, Type.Number(), Type.Boolean()]),
  {
    maxProperties: limits.metadataFields,
    description:
      'Your own facts about the asset. `available_kw` is the power that it can give now, up to its rated capacity; update it as that changes.',
  },
)

export const assetFields = {
  type,
  name: nameText(),
  rated_capacity_kw: Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }),
  metadata: Type.Optional(metadata),
}

export const assetSchema = named('EnergyAsset', {
  asset_id: Type.String(),
  site_id: Type.String(),
  type,
  name: Type.String(),
  rated_capacity_kw: Type.Number(),
  available_kw: Type.Number({ description: 'The power that the asset adds to the budget of the site now.' }),
  metadata: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
  created_at: timestamp(),
  updated_at: timestamp(),
})

export function metadataFaults({
  metadata,
}: {
  readonly metadata?: Static<typeof assetFields.metadata>
}): ErrorDetail[] {
  const available = metadata?.available_kw
  if (available === undefined || (typeof available === 'number' && available >= 0)) return []
  return [{ path: '/metadata/available_kw', message: 'must be a number of kilowatts, 0 or more' }]
}

/** The list of a site's assets. */
export function assetsOf({ site_id }: Pick<Site, 'site_id'>) {
  return { index: 'bySite', group: [site_id] } as const
}

export function assetView(asset: EnergyAsset) {
  const { organization_id, version, ...shown } = asset
  return { ...shown, available_kw: availableKw(asset) }
}
