// What has changed for a partner: read from the events of its organization and from its locations, and looked at now and then where nothing tells of it.

import { endpointOf, type OcpiPartner, sees } from '../../records/ocpi-partner.js'
import { ocpiKnownTariffsTable } from '../../records/ocpi-push.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { noteEnd, noteStart } from './billing.js'
import type { SessionChange } from './changes.js'
import { endProfile } from './charging-profiles.js'
import type { PushObject } from './item.js'
import { limits } from './limits.js'
import { note } from './pending.js'
import { type OcpiPartnerState, pendingCount, remember } from './state.js'

/** After so long, nothing comes that has changed at a time. */
const sameTimeMs = 5_000
const none: readonly Effect[] = []

export function hasRoom(state: OcpiPartnerState): boolean {
  return pendingCount(state) - state.locationsPending + limits.ocpiEventsPerRead <= limits.ocpiPending
}

function hasRoomForLocations({ locationsPending }: OcpiPartnerState): boolean {
  return locationsPending + limits.ocpiEventsPerRead <= limits.ocpiPending
}

function readsObjects(state: OcpiPartnerState): boolean {
  return state.more && hasRoom(state)
}

/** Monotonic ms: when there is something to read, and room for it. */
export function readDueAt(state: OcpiPartnerState): number {
  if (state.moreLocations && hasRoomForLocations(state)) return 0
  return readsObjects(state) || state.moreToBill ? state.readAfter : Number.POSITIVE_INFINITY
}

export function takes(partner: OcpiPartner, module: string): boolean {
  return endpointOf(partner, module, 'RECEIVER') !== undefined
}

export function readChanges(state: OcpiPartnerState, partner: OcpiPartner, context: Context): readonly Effect[] {
  if (state.moreLocations && hasRoomForLocations(state)) readLocations(state, partner, context)
  if (context.monotonic() < state.readAfter) return none
  if (readsObjects(state)) return readEvents(state, partner, context)
  return state.moreToBill ? readForCdrs(state, partner, context) : none
}

function readEvents(state: OcpiPartnerState, partner: OcpiPartner, context: Context): readonly Effect[] {
  const { changes, place, more } = state.recent.after(context.read(), partner.organization_id, state.seen)
  const effects: Effect[] = []
  const own = changes.filter(({ partnerId }) => partnerId === context.id)
  for (const change of own) {
    if (takes(partner, 'sessions')) noteSession(state, change)
    if (change.id > state.billed) effects.push(...noteForCdr(state, change, context))
    state.seen = change.id
  }
  state.unstored += changes.length
  if (place > state.seen) {
    state.unstored++
    state.seen = place
  }
  state.more = more
  if (state.seen >= state.billed) {
    state.billed = state.seen
    state.moreToBill = more
  }
  // Most events concern others: they are read some at a time.
  if (own.length === 0 && !more) state.readAfter = context.monotonic() + limits.ocpiIdleReadEveryMs
  return effects
}

/** While there is no room for objects, as a partner is away: what is billed waits for nobody, and events are kept for some days only. */
function readForCdrs(state: OcpiPartnerState, partner: OcpiPartner, context: Context): readonly Effect[] {
  const { changes, place, more } = state.recent.after(context.read(), partner.organization_id, state.billed)
  const own = changes.filter(({ partnerId }) => partnerId === context.id)
  if (place > state.billed) state.billed = place
  state.moreToBill = more
  return own.flatMap((change) => noteForCdr(state, change, context))
}

/** The event before it is where its partner reads on, should it not be told. */
function noteSession(state: OcpiPartnerState, { sessionId, at }: SessionChange): void {
  note(state, { kind: 'session', sessionId }, { after: state.seen, since: at })
}

function noteForCdr(
  state: OcpiPartnerState,
  { sessionId, isEnd, isReservation }: SessionChange,
  context: Context,
): readonly Effect[] {
  if (isReservation) return none
  if (!isEnd) return noteStart(state, sessionId, context)
  return [...noteEnd(state, sessionId, context), ...endProfile(state, sessionId, context)]
}

/** They are in the order of their last change. Those of the newest time are read again: others may have it too. */
function readLocations(state: OcpiPartnerState, partner: OcpiPartner, context: Context): void {
  if (!takes(partner, 'locations')) {
    state.moreLocations = false
    return
  }
  const limit = limits.ocpiEventsPerRead
  const { source, locationsSeen, locationSeen } = state
  const changed = source.changedLocations(context.read(), partner, locationsSeen, limit, locationSeen)
  for (const { locationId, updatedAt } of changed) {
    if (state.locations.get(locationId)?.updatedAt === updatedAt) continue
    state.unstored++
    note(state, { kind: 'location', locationId }, { updatedAt, since: updatedAt })
  }
  const last = changed.at(-1)
  state.moreLocations = changed.length === limit
  // However many there are of one time, each is read.
  state.locationSeen = state.moreLocations ? last?.locationId : undefined
  if (last === undefined) return
  const isOver = !state.moreLocations && last.updatedAt < context.now() - sameTimeMs
  state.locationsSeen = isOver ? last.updatedAt + 1 : last.updatedAt
  if (state.locationsSeen !== locationsSeen) state.unstored++
}

/**
 * Tariffs, sessions that go on without an event, and what nobody has told of. Returns whether it was time for what is looked at every few seconds.
 */
export function look(state: OcpiPartnerState, partner: OcpiPartner, context: Context): boolean {
  const now = context.monotonic()
  if (state.unlisted !== undefined) listRunning(state, partner, state.unlisted, context)
  noteRunning(state, context)
  if (now < state.nextLookAt) return false
  state.nextLookAt = now + limits.ocpiLookEveryMs
  state.mostLocations = state.shares.of(context.id, now)
  Object.assign(state, { more: true, moreToBill: true, moreLocations: true })
  if (hasRoom(state) && takes(partner, 'tariffs')) noteTariffs(state, partner, context)
  return true
}

/** One after the other, so that those that are listed at once are not sent at once. */
const listedApartMs = 5

/** Sessions that ran already when this actor was loaded: what the partner knows of them is not known, and nothing may tell of them until they end. */
function listRunning(
  state: OcpiPartnerState,
  partner: OcpiPartner,
  { behind, count }: NonNullable<OcpiPartnerState['unlisted']>,
  context: Context,
): void {
  const limit = limits.ocpiEventsPerRead
  const listed = takes(partner, 'sessions')
    ? state.source.runningSessions(context.read(), partner.partner_id, behind, limit)
    : []
  const now = context.monotonic()
  for (const [at, sessionId] of listed.entries()) {
    if (state.running.has(sessionId)) continue
    const waitMs = Math.min(limits.ocpiSessionEveryMs, (count + at) * listedApartMs)
    remember(state.running, sessionId, { mark: undefined, at: now + waitMs - limits.ocpiSessionEveryMs })
  }
  const all = count + listed.length
  const isAll = listed.length < limit || all >= limits.ocpiRemembered
  state.unlisted = isAll ? undefined : { behind: listed.at(-1), count: all }
}

function noteRunning(state: OcpiPartnerState, context: Context): void {
  const now = context.monotonic()
  for (const [sessionId, told] of state.running) {
    if (told.at + limits.ocpiSessionEveryMs > now || !hasRoom(state)) return
    note(state, { kind: 'session', sessionId }, { since: context.now() })
    // Behind the others: it is looked at again later, whatever comes of this.
    state.running.delete(sessionId)
    state.running.set(sessionId, { ...told, at: now })
  }
}

/** Monotonic ms. */
export function lookDueAt(state: OcpiPartnerState): number {
  const { running, nextLookAt, unlisted } = state
  if (unlisted !== undefined) return 0
  if (hasRoom(state)) for (const { at } of running.values()) return Math.min(nextLookAt, at + limits.ocpiSessionEveryMs)
  return nextLookAt
}

function noteTariffs(state: OcpiPartnerState, partner: OcpiPartner, context: Context): void {
  const view = context.read()
  const all = state.offers.of(view, partner.organization_id, context)
  const offered =
    partner.tariff_ids === undefined ? all : new Map([...all].filter(([id]) => sees(partner.tariff_ids, id)))
  const known = new Map(view.list(ocpiKnownTariffsTable, [partner.partner_id]).map((row) => [row.tariff_id, row.mark]))
  const changed = [...offered].filter(([id, mark]) => known.get(id) !== mark && state.refusedTariffs.get(id) !== mark)
  const gone = [...known.keys()].filter((id) => !offered.has(id))
  for (const tariffId of [...changed.map(([id]) => id), ...gone]) {
    const object: PushObject = { kind: 'tariff', tariffId }
    note(state, object, { since: context.now() })
  }
}
