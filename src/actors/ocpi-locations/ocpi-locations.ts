// The locations of an organization as its roaming partners see them: it alone writes them. Whatever changes a site, a charge point or what they
// are told by leaves a wake-up in its commit; this actor looks at the place, and stores what is another. Nothing of it is in memory but how far a
// walk over all places has come, which begins anew with the next life of the shard.

import type { Place } from '../../ocpi/location/read-place.js'
import { chargePointsTable } from '../../records/charge-point.js'
import { ocpiLocationsTable } from '../../records/ocpi-location.js'
import { ocpiPartiesTable } from '../../records/ocpi-party.js'
import type { LiveNodes } from '../../records/presence.js'
import { sitesTable } from '../../records/site.js'
import { type ActorDefinition, type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { wakeAfter, wakeNoMore, wakeUpsTable } from '../../runtime/actor/wake-ups.js'
import { after, type Key } from '../../runtime/store/table.js'
import {
  everyPlaceReason,
  ocpiLocationsAddress,
  ocpiLocationsKind,
  placeOfReason,
  reasonsOfPlace,
} from '../messages/ocpi-locations.js'
import { createRegisteredPartners } from '../ocpi-partner/followers.js'
import { limits } from './limits.js'
import type { OcpiLocationsMessage } from './messages.js'
import { type Changes, updateLocation } from './update-location.js'

interface Walk {
  /** The wake-ups that it answers. */
  readonly reasons: Set<string>
  phase: 'sites' | 'charge-points' | 'locations'
  /** Where the list that is read goes on. */
  from: Key | undefined
}

export interface OcpiLocationsState {
  readonly changes: Changes
  walk: Walk | undefined
  /** What asked for another walk, after the one in hand had begun. */
  readonly next: Set<string>
  /** The places that were looked at in this turn: nothing of them can be another until it is over. */
  turn: number
  readonly seen: Set<string>
}

const none: readonly Effect[] = []
/** Of the walk that is due without anybody having asked for it. */
const daily = `${everyPlaceReason}/daily`

export function createOcpiLocationsActor({
  live,
}: {
  readonly live: LiveNodes
}): ActorDefinition<OcpiLocationsState, OcpiLocationsMessage> {
  const partnersOf = createRegisteredPartners()
  return {
    kind: ocpiLocationsKind,
    load: () => ({
      changes: { latest: 0, toldIn: 0, live, partnersOf },
      walk: undefined,
      next: new Set(),
      turn: 0,
      seen: new Set(),
    }),
    idle: ({ walk }) => walk === undefined,
    handle(state, message, context) {
      if (message.type === 'step') return state.walk === undefined ? none : step(state, state.walk, context)
      const { reason } = message
      if (reason.startsWith(everyPlaceReason)) return begin(state, reason, context)
      const place = placeOfReason(reason)
      if (place === undefined) return [wakeNoMore(ocpiLocationsAddress(context.id), reason)]
      // An earlier look has answered it.
      if (context.read().get(wakeUpsTable, [ocpiLocationsKind, context.id, reason]) === undefined) return none
      return [...lookAt(state, place, context), ...answered(place, context)]
    },
  }
}

/** All that had changed of the place: a look at a large site costs as much as its charge points, however many of them have changed. */
function answered(place: Place, context: Context): readonly Effect[] {
  const self = ocpiLocationsAddress(context.id)
  const first = reasonsOfPlace(place)
  const bounds = { from: [first], to: [`${first}\uffff`], limit: limits.answeredAtOnce }
  const stored = context.read().list(wakeUpsTable, [self.kind, self.id], bounds)
  return stored.filter(({ at }) => at <= context.steady()).map(({ reason }) => wakeNoMore(self, reason))
}

function lookAt(state: OcpiLocationsState, place: Place, context: Context): readonly Effect[] {
  if (state.turn !== context.turn) {
    state.turn = context.turn
    state.seen.clear()
  }
  const name = `${place.kind}/${place.id}`
  if (state.seen.has(name)) return none
  state.seen.add(name)
  return updateLocation(place, state.changes, context)
}

function begin(state: OcpiLocationsState, reason: string, context: Context): readonly Effect[] {
  if (context.read().get(ocpiPartiesTable, [context.id]) === undefined)
    return [wakeNoMore(ocpiLocationsAddress(context.id), reason)]
  if (state.walk !== undefined) {
    if (!state.walk.reasons.has(reason)) state.next.add(reason)
    return none
  }
  state.walk = { reasons: new Set([reason]), phase: 'sites', from: undefined }
  return [goOn(context)]
}

/** Not at once: others have their turn in between. */
function goOn(context: Context): Effect {
  return effect.schedule('step', context.monotonic() + limits.stepMs, { type: 'step' } satisfies OcpiLocationsMessage)
}

function step(state: OcpiLocationsState, walk: Walk, context: Context): readonly Effect[] {
  const { places, isLast } = nextPlaces(walk, context)
  const effects = places.flatMap((place) => lookAt(state, place, context))
  if (!isLast) return [...effects, goOn(context)]
  const following = { sites: 'charge-points', 'charge-points': 'locations', locations: undefined } as const
  const phase = following[walk.phase]
  if (phase !== undefined) {
    walk.phase = phase
    walk.from = undefined
    return [...effects, goOn(context)]
  }
  return [...effects, ...end(state, walk, context)]
}

function end(state: OcpiLocationsState, walk: Walk, context: Context): readonly Effect[] {
  const self = ocpiLocationsAddress(context.id)
  const done = [...walk.reasons].map((reason) => wakeNoMore(self, reason))
  const again = wakeAfter(self, daily, limits.walkEveryMs, context)
  state.walk = undefined
  if (state.next.size === 0) return [...done, again]
  state.walk = { reasons: new Set(state.next), phase: 'sites', from: undefined }
  state.next.clear()
  return [...done, again, goOn(context)]
}

/** A part of the list of the phase: sites, charge points that are in none, and what is stored of places that are gone. */
function nextPlaces(walk: Walk, context: Context): { readonly places: readonly Place[]; readonly isLast: boolean } {
  const query = { ...(walk.from !== undefined && { from: walk.from }), limit: limits.placesPerStep }
  const view = context.read()
  if (walk.phase === 'sites') {
    const rows = view.listBy(sitesTable, 'byOrganization', [context.id], query)
    return part(
      walk,
      rows,
      ({ site_id }) => site_id,
      ({ site_id }) => ({ kind: 'site', id: site_id }),
    )
  }
  if (walk.phase === 'charge-points') {
    const rows = view.listBy(chargePointsTable, 'withoutSite', [context.id], query)
    return part(
      walk,
      rows,
      ({ charge_point_id }) => charge_point_id,
      ({ charge_point_id }) => ({ kind: 'charge_point', id: charge_point_id }),
    )
  }
  const rows = view.list(ocpiLocationsTable, [context.id], query)
  return part(
    walk,
    rows,
    ({ location_id }) => location_id,
    ({ kind, place_id }) => ({ kind, id: place_id }),
  )
}

function part<Row>(
  walk: Walk,
  rows: readonly Row[],
  idOf: (row: Row) => string,
  toPlace: (row: Row) => Place,
): { readonly places: readonly Place[]; readonly isLast: boolean } {
  const last = rows.at(-1)
  if (last !== undefined) walk.from = after([idOf(last)])
  return {
    places: rows.map(toPlace),
    isLast: rows.length < limits.placesPerStep,
  }
}
