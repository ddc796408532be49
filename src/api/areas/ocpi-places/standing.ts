// How far a place is from being seen by roaming partners: what is missing, and what they see, or would.

import { Type } from 'typebox'
import { locationIdOf } from '../../../ocpi/ids.js'
import { makeLocation } from '../../../ocpi/location/make-location.js'
import { assumedOf, isWanted, type Missing, missingOf } from '../../../ocpi/location/missing.js'
import type { PlaceFacts } from '../../../ocpi/location/place-facts.js'
import { type Place, readPlace } from '../../../ocpi/location/read-place.js'
import { stampLocation } from '../../../ocpi/location/stamp-location.js'
import { type Location, locationSchema } from '../../../ocpi/schemas/location.js'
import { type OcpiLocation, ocpiLocationObjectsTable, ocpiLocationsTable } from '../../../records/ocpi-location.js'
import type { OcpiPlace } from '../../../records/ocpi-place.js'
import type { Showing } from '../../pipeline/record-routes.js'
import { named, nullable } from '../../pipeline/schemas.js'

const detailSchema = named('MissingRoamingDetail', {
  field: Type.String(),
  message: Type.String({ description: 'What is missing, and where to set it.' }),
})

const missingSchema = Type.Array(detailSchema, {
  description: 'What keeps the location from being published. Empty if nothing does.',
})

const assumedSchema = Type.Array(detailSchema, {
  description: 'What nobody has said, and partners are told all the same. Empty if there is nothing.',
})

export const standingFields = {
  location_id: Type.String({ description: 'The id by which roaming partners know the location. It never changes.' }),
  publishable: Type.Boolean({ description: 'Whether nothing is missing.' }),
  published: Type.Boolean({
    description: 'Whether roaming partners see the location now. A change takes a second or two.',
  }),
  missing: missingSchema,
  assumed: assumedSchema,
}

export const previewField = {
  location: nullable(locationSchema),
}

const noParty: readonly Missing[] = [
  { field: 'party', message: 'Your organization has no party yet. Set it with PUT /api/v1/ocpi/party.' },
]

/** `changed`: details that are about to be stored. */
type At = Pick<Showing, 'view' | 'now' | 'presence'> & { readonly changed?: OcpiPlace }

export interface Standing {
  readonly facts: PlaceFacts | undefined
  readonly row: OcpiLocation | undefined
  readonly shown: {
    readonly location_id: string
    readonly publishable: boolean
    readonly published: boolean
    readonly missing: readonly Missing[]
    readonly assumed: readonly Missing[]
  }
}

export function standingOf(organizationId: string, place: Place, { presence, ...at }: At): Standing {
  const location_id = locationIdOf(place.id)
  const facts = readPlace(place, { ...at, organizationId, live: presence.live })
  const row = at.view.get(ocpiLocationsTable, [organizationId, location_id])
  const missing = facts === undefined ? noParty : missingOf(facts)
  const published = row !== undefined && row.is_removed !== true
  const assumed = facts === undefined ? [] : assumedOf(facts)
  return { facts, row, shown: { location_id, publishable: missing.length === 0, published, missing, assumed } }
}

/** The location as partners see it, or would once it is published. */
export function previewOf(organizationId: string, { facts, shown }: Standing, { view, now }: At): Location | null {
  const changed = [facts?.site, facts?.details, ...(facts?.chargePoints ?? []).map(({ chargePoint }) => chargePoint)]
  const made = facts === undefined ? undefined : makeLocation(facts, now)
  if (facts === undefined || made === undefined) return null
  const stored = view.get(ocpiLocationObjectsTable, [organizationId, shown.location_id])
  const location = { ...made.location, publish: isWanted(facts) && shown.publishable }
  // What partners have not seen yet has changed with what it is made of, and not with each look at it.
  const times = changed.flatMap((row) => (row === undefined ? [] : [Date.parse(row.updated_at)]))
  return stampLocation(stored?.object as Location | undefined, location, Math.max(...times)).location
}
