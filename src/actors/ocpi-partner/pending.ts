// The objects that wait to be sent: noted when they change, taken when they are due, and kept apart while a call for them is under way.

import { type ChangedAt, keyOf, type Pending, type PushObject } from './item.js'
import type { OcpiPartnerState } from './state.js'

/** Locations wait apart: however many have changed, they hold up no session. */
function readyOf(state: OcpiPartnerState, { object }: Pick<Pending, 'object'>): Map<string, Pending> {
  return object.kind === 'location' ? state.readyLocations : state.ready
}

/** An object has changed. One that waits already is sent once, and not before it is due. */
export function note(state: OcpiPartnerState, object: PushObject, changed: ChangedAt): void {
  const key = keyOf(object)
  const sending = state.underWay.get(key)
  const ready = readyOf(state, { object })
  const known = ready.get(key) ?? state.waiting.get(key)
  if (sending !== undefined) sending.again = first(sending.again, changed)
  else if (known !== undefined) known.changed = first(known.changed, changed)
  else {
    if (object.kind === 'location') state.locationsPending++
    ready.set(key, { key, object, changed, dueAt: 0, failures: 0, whole: false, again: undefined })
  }
}

/** The earlier one is what is stored as not told; one that nothing tells of has no place of its own. */
function first(one: ChangedAt | undefined, other: ChangedAt): ChangedAt {
  return { ...other, ...one }
}

/** Nothing is to be sent of it. */
export function drop(state: OcpiPartnerState, item: Pending): void {
  readyOf(state, item).delete(item.key)
  if (item.object.kind === 'location') state.locationsPending--
}

/** `dueAt`: monotonic ms. */
export function wait(state: OcpiPartnerState, item: Pending, dueAt: number): void {
  item.dueAt = dueAt
  state.waiting.set(item.key, item)
  state.nextDueAt = Math.min(state.nextDueAt, dueAt)
}

/** A look at all that wait: at most every so often, however many become due one after the other. */
const lookEveryMs = 50

export function takeDue(state: OcpiPartnerState, now: number): void {
  if (state.nextDueAt > now) return
  let next = Number.POSITIVE_INFINITY
  for (const item of state.waiting.values()) {
    if (item.dueAt > now) {
      next = Math.min(next, item.dueAt)
      continue
    }
    state.waiting.delete(item.key)
    readyOf(state, item).set(item.key, item)
  }
  state.nextDueAt = Math.max(next, now + lookEveryMs)
  if (next === Number.POSITIVE_INFINITY) state.nextDueAt = next
}

export function beginItem(state: OcpiPartnerState, item: Pending): void {
  readyOf(state, item).delete(item.key)
  state.underWay.set(item.key, item)
}

/** The partner knows it, as it was when the call began, or will not be sent that. */
export function settled(state: OcpiPartnerState, item: Pending): void {
  state.underWay.delete(item.key)
  const { again } = item
  if (again === undefined) {
    drop(state, item)
    return
  }
  Object.assign(item, { changed: again, failures: 0, whole: false, again: undefined })
  readyOf(state, item).set(item.key, item)
}

/** The partner does not know all of it, and is sent it once more, as it is then. */
export function unsettled(state: OcpiPartnerState, item: Pending, dueAt: number): void {
  state.underWay.delete(item.key)
  if (item.again !== undefined) item.changed = first(item.changed, item.again)
  item.again = undefined
  wait(state, item, dueAt)
}

/** The newest event before any of them, and the first change of a location among them. */
export function placesOf(state: OcpiPartnerState): { readonly cursor: string; readonly locationsFrom: number } {
  let cursor = state.seen
  let locationsFrom = state.locationsSeen
  for (const items of [state.ready, state.readyLocations, state.waiting, state.underWay])
    for (const { changed, again } of items.values())
      for (const { after, updatedAt } of [changed, ...(again === undefined ? [] : [again])]) {
        if (after !== undefined && after < cursor) cursor = after
        if (updatedAt !== undefined && updatedAt < locationsFrom) locationsFrom = updatedAt
      }
  return { cursor, locationsFrom }
}
