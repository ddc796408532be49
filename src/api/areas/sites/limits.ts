// Bounds of the area: sites.

import { defineLimits } from '../../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Sites of one organization. */
  sites: 10_000,
  /** Charge points that are linked to one site. */
  chargePointsOfSite: 500,
  energyAssetsOfSite: 50,
  /** Fields of the metadata of one energy asset, and characters of the name and the text of one of them. */
  metadataFields: 50,
  metadataNameCharacters: 64,
  metadataTextCharacters: 500,
})
