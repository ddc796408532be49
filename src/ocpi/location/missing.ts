// What keeps a location from being published: what OCPI requires of it and nobody has said, in sentences for its operator.

import { alpha3Of } from '../../runtime/countries.js'
import { cityOfAddress } from './city-of-address.js'
import { connectorsOf, type PlaceFacts } from './place-facts.js'

export interface Missing {
  /** The field that is missing, by its name in our own API. */
  readonly field: string
  readonly message: string
}

export function missingOf({ site, chargePoints }: PlaceFacts): readonly Missing[] {
  const place = site ?? chargePoints[0]?.chargePoint
  const called = site === undefined ? 'charge point' : 'site'
  const missing: Missing[] = []
  const miss = (field: string, message: string): void => {
    missing.push({ field, message })
  }
  if (place !== undefined && place.address.trim() === '')
    miss('address', `The ${called} has no address. Set \`address\` of the ${called}.`)
  if (place !== undefined && place.latitude === 0 && place.longitude === 0)
    miss('latitude', `The ${called} has no coordinates. Set \`latitude\` and \`longitude\` of the ${called}.`)
  if (chargePoints.length === 0) miss('charge_points', 'The site has no charge points that roaming partners may see.')
  else if (chargePoints.every((facts) => connectorsOf(facts).length === 0))
    miss(
      'connector_count',
      'No connector is known yet. Set `connector_count` of the charge point, or wait until it has connected.',
    )
  return missing
}

/** Whether its operator wants partners to see it. */
export function isWanted({ details, party }: Pick<PlaceFacts, 'details' | 'party'>): boolean {
  return details?.publish ?? party.publish_by_default ?? true
}

/** What partners are told though nobody has said it, in sentences for the operator. */
export function assumedOf({ organization, party, site, details, chargePoints }: PlaceFacts): readonly Missing[] {
  const place = site ?? chargePoints[0]?.chargePoint
  const assumed: Missing[] = []
  if (details?.city === undefined && place !== undefined) {
    const city = cityOfAddress(place.address)
    const told =
      city === undefined ? 'Partners are told that it is not known' : `Partners are told ${city}, from the address`
    assumed.push({ field: 'city', message: `The city is missing. ${told}. Set \`city\` among the roaming details.` })
  }
  if (alpha3Of(details?.country ?? organization.country) === undefined)
    assumed.push({
      field: 'country',
      message: `The country is missing. Partners are told ${party.country_code}, from your party. Set \`country\` among the roaming details.`,
    })
  return assumed
}
