// What has changed for a partner: read from the events of its organization and from its locations, and looked at now and then where nothing tells of it.

import { endpointOf, type OcpiPartner } from '../../records/ocpi-partner.js'
import { ocpiKnownTariffsTable } from '../../records/ocpi-push.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { noteEnd, noteStart } from './billing.js'
import type { SessionChange } from './changes.js'
import type { PushObject } from './item.js'
import { limits } from './limits.js'
import { note } from './pending.js'
import { type OcpiPartnerState, pendingCount } from './state.js'

/** After so long, nothing comes that has changed at a time. */
const sameTimeMs = 5_000

export function hasRoom(state: OcpiPartnerState): boolean {
  return pendingCount(state) + limits.ocpiEventsPerRead <= limits.ocpiPending
}

/** There is something to read, and room for it. */
export function mayRead(state: OcpiPartnerState): boolean {
  return (state.more || state.moreLocations) && hasRoom(state)
}

export function takes(partner: OcpiPartner, module: string): boolean {
  return endpointOf(partner, module, 'RECEIVER') !== undefined
}

export function readChanges(state: OcpiPartnerState, partner: OcpiPartner, context: Context): readonly Effect[] {
  if (state.moreLocations && hasRoom(state)) readLocations(state, partner, context)
  return state.more && hasRoom(state) ? readEvents(state, partner, context) : []
}

function readEvents(state: OcpiPartnerState, partner: OcpiPartner, context: Context): readonly Effect[] {
  const { changes, place, more } = state.recent.after(context.read(), partner.organization_id, state.seen)
  const effects: Effect[] = []
  for (const change of changes) {
    if (change.partnerId === context.id) effects.push(...noteSession(state, partner, change, context))
    state.seen = change.id
  }
  state.unstored += changes.length
  if (place > state.seen) {
    state.unstored++
    state.seen = place
  }
  state.more = more
  return effects
}

function noteSession(
  state: OcpiPartnerState,
  partner: OcpiPartner,
  { sessionId, isEnd, at }: SessionChange,
  context: Context,
): readonly Effect[] {
  if (takes(partner, 'sessions')) note(state, { kind: 'session', sessionId }, { after: state.seen, since: at })
  return isEnd ? noteEnd(state, sessionId, context) : noteStart(state, sessionId, context)
}

/** They are in the order of their last change. Those of the newest time are read again: others may have it too. */
function readLocations(state: OcpiPartnerState, partner: OcpiPartner, context: Context): void {
  if (!takes(partner, 'locations')) {
    state.moreLocations = false
    return
  }
  const limit = limits.ocpiEventsPerRead
  const changed = state.source.changedLocations(context.read(), partner, state.locationsSeen, limit)
  for (const { locationId, updatedAt } of changed) {
    state.unstored++
    if (state.locations.get(locationId)?.updatedAt === updatedAt) continue
    note(state, { kind: 'location', locationId }, { updatedAt, since: updatedAt })
  }
  const last = changed.at(-1)?.updatedAt
  state.moreLocations = changed.length === limit
  if (last === undefined) return
  const isOver = last < context.now() - sameTimeMs || (state.moreLocations && last === state.locationsSeen)
  state.locationsSeen = isOver ? last + 1 : last
}

/** Tariffs, sessions that go on without an event, and locations that nobody has told of. Returns whether it was time to look at all of them. */
export function look(state: OcpiPartnerState, partner: OcpiPartner, context: Context): boolean {
  const now = context.monotonic()
  noteRunning(state, context)
  if (now < state.nextLookAt) return false
  state.nextLookAt = now + limits.ocpiLookEveryMs
  state.moreLocations = true
  if (hasRoom(state) && takes(partner, 'tariffs')) noteTariffs(state, partner, context)
  return true
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
  const { running, nextLookAt } = state
  if (hasRoom(state)) for (const { at } of running.values()) return Math.min(nextLookAt, at + limits.ocpiSessionEveryMs)
  return nextLookAt
}

function noteTariffs(state: OcpiPartnerState, partner: OcpiPartner, context: Context): void {
  const view = context.read()
  const offered = state.source.tariffs(view, partner)
  const known = new Map(view.list(ocpiKnownTariffsTable, [partner.partner_id]).map((row) => [row.tariff_id, row.mark]))
  const changed = [...offered].filter(([id, mark]) => known.get(id) !== mark && state.refusedTariffs.get(id) !== mark)
  const gone = [...known.keys()].filter((id) => !offered.has(id))
  for (const tariffId of [...changed.map(([id]) => id), ...gone]) {
    const object: PushObject = { kind: 'tariff', tariffId }
    note(state, object, { since: context.now() })
  }
}
