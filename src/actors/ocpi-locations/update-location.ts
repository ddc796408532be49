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
import type { RegisteredPartners } from '../ocpi-partner/followers.js'
import type { OcpiPartnerMessage } from '../ocpi-partner/messages.js'

const none: readonly Effect[] = []

/** What is stored of a location. */
interface Stored {
  readonly row: OcpiLocation
  readonly object: OcpiLocationObject
}

/** What changes of an organization's locations have in common. */
export interface Changes {
  /** Wall ms: the newest of them. */
  latest: number
  /** The turn in which partners were last told. */
  toldIn: number
  readonly live: LiveNodes
  readonly partnersOf: RegisteredPartners
}

export function updateLocation(place: Place, changes: Changes, context: Context): readonly Effect[] {
  const { live } = changes
  const [view, now] = [context.read(), context.now()]
  const facts = readPlace(place, { view, organizationId: context.id, live, now })
  const before = storedLocation(locationIdOf(place.id), context)
  const isPublished = facts !== undefined && isWanted(facts) && missingOf(facts).length === 0
  const made = isPublished ? makeLocation(facts, now) : undefined
  if (made === undefined) return before === undefined ? none : withdraw(before, changes, context)
  const stamped = stampLocation(before && locationOf(before), made.location, timeOfChange(changes, context))
  if (before !== undefined && stamped.changes.length === 0) return none
  const [organization_id, location_id] = [context.id, made.location.id]
  return store(changes, context, stamped, {
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
 * Partners read on from the newest change that they know, whichever location it was of: where the clock was set back, each change is a little newer
 * than the one before, so that thousands of them do not have one time.
 */
function timeOfChange({ latest }: Changes, context: Context): number {
  const [newest] = context.read().listBy(ocpiLocationsTable, 'byUpdate', [context.id], { reverse: true, limit: 1 })
  const now = context.now()
  const before = Math.max(latest, newest?.updated_at ?? 0)
  return now >= before ? now : before + 1
}

function storedLocation(locationId: string, context: Context): Stored | undefined {
  const key = [context.id, locationId]
  const row = context.read().get(ocpiLocationsTable, key)
  const object = context.read().get(ocpiLocationObjectsTable, key)
  return row === undefined || object === undefined ? undefined : { row, object }
}

const locationOf = ({ object }: Stored): Location => object.object as Location

/** Partners see it as removed for a while, and then no more. */
function withdraw({ row, object }: Stored, changes: Changes, context: Context): readonly Effect[] {
  if (row.is_removed !== true) {
    const removed = removeLocation(object.object as Location, timeOfChange(changes, context))
    return store(changes, context, removed, { row: { ...row, is_removed: true }, object })
  }
  if (context.now() - row.updated_at < ocpiLimits.ocpiRemovedKeptMs) return none
  const key = ocpiLocationsTable.key(row)
  return [effect.remove(ocpiLocationsTable, key), effect.remove(ocpiLocationObjectsTable, key)]
}

function store(changes: Changes, context: Context, { location }: Stamped, { row, object }: Stored): readonly Effect[] {
  const updated_at = readDateTime(location.last_updated) ?? row.updated_at
  changes.latest = Math.max(changes.latest, updated_at)
  return [
    effect.put(ocpiLocationsTable, { ...row, updated_at }),
    effect.put(ocpiLocationObjectsTable, { ...object, object: location }),
    ...tellPartners(changes, context),
  ]
}

/** Word alone, and once in a turn: a partner that does not hear it looks by itself. */
function tellPartners(changes: Changes, context: Context): readonly Effect[] {
  if (changes.toldIn === context.turn) return none
  changes.toldIn = context.turn
  return changes
    .partnersOf(context.read(), context.id, context.monotonic())
    .map((partner) => effect.send(partner, { type: 'locations-changed' } satisfies OcpiPartnerMessage))
}
