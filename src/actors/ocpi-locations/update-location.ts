// Brings one location up to date with what it is made of, in the turn that was told of a change.

import { readDateTime } from '../../ocpi/date-time.js'
import { locationIdOf } from '../../ocpi/ids.js'
import { limits as ocpiLimits } from '../../ocpi/limits.js'
import { makeLocation } from '../../ocpi/location/make-location.js'
import { isWanted, missingOf } from '../../ocpi/location/missing.js'
import { type Place, readPlace } from '../../ocpi/location/read-place.js'
import { removeLocation, type Stamped, stampLocation } from '../../ocpi/location/stamp-location.js'
import type { Location } from '../../ocpi/schemas/location.js'
import {
  type OcpiLocation,
  type OcpiLocationObject,
  ocpiLocationObjectsTable,
  ocpiLocationsTable,
} from '../../records/ocpi-location.js'
import type { LiveNodes } from '../../records/presence.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { registeredPartners } from '../ocpi-partner/followers.js'
import type { OcpiPartnerMessage } from '../ocpi-partner/messages.js'

const none: readonly Effect[] = []

/** What is stored of a location. */
interface Stored {
  readonly row: OcpiLocation
  readonly object: OcpiLocationObject
}

export function updateLocation(place: Place, live: LiveNodes, context: Context): readonly Effect[] {
  const [view, now] = [context.read(), context.now()]
  const facts = readPlace(place, { view, organizationId: context.id, live, now })
  const before = storedLocation(locationIdOf(place.id), context)
  const isPublished = facts !== undefined && isWanted(facts) && missingOf(facts).length === 0
  const made = isPublished ? makeLocation(facts, now) : undefined
  if (made === undefined) return before === undefined ? none : withdraw(before, context)
  const stamped = stampLocation(before && locationOf(before), made.location, timeOfChange(context))
  if (before !== undefined && stamped.changes.length === 0) return none
  const [organization_id, location_id] = [context.id, made.location.id]
  return store(context, stamped, {
    row: {
      organization_id,
      location_id,
      kind: place.kind,
      place_id: place.id,
      created_at: before?.row.created_at ?? readDateTime(stamped.location.last_updated) ?? now,
      updated_at: now,
    },
    object: { organization_id, location_id, object: stamped.location, outlets: made.outlets },
  })
}

/**
 * Partners read on from the newest change that they know, whichever location it was of: where the clock was set back, the next one has the time of
 * the newest.
 */
function timeOfChange(context: Context): number {
  const newest = context.read().listBy(ocpiLocationsTable, 'byUpdate', [context.id], { reverse: true, limit: 1 })
  return Math.max(context.now(), newest[0]?.updated_at ?? 0)
}

function storedLocation(locationId: string, context: Context): Stored | undefined {
  const key = [context.id, locationId]
  const row = context.read().get(ocpiLocationsTable, key)
  const object = context.read().get(ocpiLocationObjectsTable, key)
  return row === undefined || object === undefined ? undefined : { row, object }
}

const locationOf = ({ object }: Stored): Location => object.object as Location

/** Partners see it as removed for a while, and then no more. */
function withdraw({ row, object }: Stored, context: Context): readonly Effect[] {
  if (row.is_removed !== true) {
    const removed = removeLocation(object.object as Location, timeOfChange(context))
    return store(context, removed, { row: { ...row, is_removed: true }, object })
  }
  if (context.now() - row.updated_at < ocpiLimits.ocpiRemovedKeptMs) return none
  const key = ocpiLocationsTable.key(row)
  return [effect.remove(ocpiLocationsTable, key), effect.remove(ocpiLocationObjectsTable, key)]
}

function store(context: Context, { location }: Stamped, { row, object }: Stored): readonly Effect[] {
  return [
    effect.put(ocpiLocationsTable, { ...row, updated_at: readDateTime(location.last_updated) ?? row.updated_at }),
    effect.put(ocpiLocationObjectsTable, { ...object, object: location }),
    // Word alone: a partner that does not hear it looks by itself.
    ...registeredPartners(context.read(), context.id).map((partner) =>
      effect.send(partner, { type: 'locations-changed' } satisfies OcpiPartnerMessage),
    ),
  ]
}
