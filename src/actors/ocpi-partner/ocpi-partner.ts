// A roaming partner: follows the events of its organization, and tells the partner of the objects that have changed, as they are when it is told.
// What it has not been told is found again in the events after a crash; a CDR is kept until the partner has taken it.

import { ocpiProgressTable } from '../../records/ocpi-push.js'
import type { ActorDefinition, Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { wakeNoMore } from '../../runtime/actor/wake-ups.js'
import { endAlerts, lookAtAlerts } from './alerts.js'
import { attempted, beginAttempts } from './attempts.js'
import { billDue } from './billing.js'
import { hasRoomForCdrs, readDueCdrs } from './cdrs.js'
import { noteProfiles } from './charging-profiles.js'
import { compareCdrs } from './compare-cdrs.js'
import { forget } from './forget.js'
import { mayRelease, releaseHeld } from './held.js'
import { createMemoryShares } from './memory-shares.js'
import { type OcpiPartnerMessage, ocpiPartnerAddress, ocpiPartnerKind, reachedParty } from './messages.js'
import { createOfferedTariffs } from './offered-tariffs.js'
import { note, takeDue } from './pending.js'
import { saveDueAt, saveProgressIfDue } from './progress.js'
import { look, lookDueAt, readChanges, readDueAt } from './reading.js'
import { createRecentChanges } from './recent-changes.js'
import { noteResult, resultDueAt } from './results.js'
import type { PushSource } from './source.js'
import { loadState, type OcpiPartnerState, partnerOf, rowOf, type Shared } from './state.js'
import { createWalks } from './walks.js'

const timerKey = 'go-on'
const none: readonly Effect[] = []

/** One for each shard: its partners share what is read of the events. */
export function createOcpiPartnerActor(source: PushSource): ActorDefinition<OcpiPartnerState, OcpiPartnerMessage> {
  const shared: Shared = {
    source,
    recent: createRecentChanges(source),
    offers: createOfferedTariffs(source),
    shares: createMemoryShares(),
    walks: createWalks(),
  }
  return {
    kind: ocpiPartnerKind,
    load: (context) => loadState(context, shared),
    activated(state, context) {
      noteProfiles(state, context)
      return goOn(state, context)
    },
    // Nothing wakes it for what it has to look at, as long as the partner is there.
    idle: (state) => !state.isActive && state.calls + state.resultCalls === 0,
    handle(state, message, context) {
      const effects = take(state, message, context)
      return isPutOff(state, message, context)
        ? [...effects, ...armTimer(state, context)]
        : [...effects, ...goOn(state, context)]
    },
  }
}

/** Word of events comes with each commit of the organization: it is cheap where they have just been read, and were others'. */
function isPutOff(state: OcpiPartnerState, { type }: OcpiPartnerMessage, context: Context): boolean {
  return type === 'appended' && state.isActive && context.monotonic() < state.readAfter
}

function take(state: OcpiPartnerState, message: OcpiPartnerMessage, context: Context): readonly Effect[] {
  switch (message.type) {
    case 'appended':
      state.more = true
      state.moreToBill = true
      return none
    case 'locations-changed':
      state.moreLocations = true
      return none
    case 'changed':
      // Its endpoints may be others, and its memory may be new.
      Object.assign(state, { pausedUntil: 0, pauses: 0, failuresInARow: 0, readAfter: 0 })
      Object.assign(state, { more: true, moreToBill: true, moreLocations: true })
      state.locations.clear()
      noteRegistration(state, context)
      state.running.clear()
      state.unlisted = { behind: undefined, count: 0 }
      state.comparison = { behind: undefined, dueAt: state.walks.next(context.monotonic()) }
      return none
    case 'command-result':
      return noteResult(state, message, context)
    case 'limit-changed':
      note(state, { kind: 'profile', sessionId: message.sessionId }, { since: context.now() })
      return none
    case 'wake-up':
      if (rowOf(context) === undefined) return forget(state, message.reason, context)
      if (reachedParty(message.reason) === undefined || partnerOf(context) === undefined)
        return [wakeNoMore(ocpiPartnerAddress(context.id), message.reason)]
      state.reached.add(message.reason)
      return none
    case 'attempted':
      return attempted(state, message.attempt, message.outcome, context)
    case 'go-on':
      state.timerAt = undefined
      return none
    default:
      message satisfies never
      return none
  }
}

/** The locations of an earlier registration may be gone at the partner: all are sent. */
function noteRegistration(state: OcpiPartnerState, context: Context): void {
  const registration = rowOf(context)?.registered_at
  if (registration === state.registration) return
  Object.assign(state, { registration, locationsSeen: 0, locationSeen: undefined })
}

/** After every message: reads what there is room for, and sends what is due. */
function goOn(state: OcpiPartnerState, context: Context): readonly Effect[] {
  const partner = partnerOf(context)
  const party = partner === undefined ? undefined : state.source.party(context.read(), partner.organization_id)
  state.isActive = partner !== undefined && party !== undefined
  if (partner === undefined || party === undefined) return stop(state, context)
  const effects: Effect[] = [...readChanges(state, partner, context), ...releaseHeld(state, partner, context)]
  if (look(state, partner, context)) effects.push(...lookAtAlerts(state, partner, context))
  effects.push(...billDue(state, partner, context), ...compareCdrs(state, partner, context))
  takeDue(state, context.monotonic())
  readDueCdrs(state, context)
  effects.push(...beginAttempts(state, { partner, party }, context), ...saveProgressIfDue(state, context))
  return [...effects, ...armTimer(state, context)]
}

/** A partner that has ended is sent nothing more; what it was sent is kept. */
function stop(state: OcpiPartnerState, context: Context): readonly Effect[] {
  const partner = rowOf(context)
  if (partner?.status === 'registered') return none
  forgetPending(state)
  state.results = []
  state.reached.clear()
  const ended = partner === undefined ? none : endAlerts(state, context)
  const kept =
    ended.length === 0 || state.progress === undefined ? none : [effect.put(ocpiProgressTable, state.progress)]
  if (state.timerAt === undefined) return [...ended, ...kept]
  state.timerAt = undefined
  return [...ended, ...kept, effect.cancel(timerKey)]
}

/** Should it register again, it is told what it did not hear: what is under way ends by itself. */
function forgetPending(state: OcpiPartnerState): void {
  for (const items of [state.ready, state.readyLocations, state.waiting, state.running]) items.clear()
  state.locationsPending = [...state.underWay.values()].filter(({ object }) => object.kind === 'location').length
  for (const [sessionId, { underWay }] of state.cdrs) if (!underWay) state.cdrs.delete(sessionId)
  state.nextCdrAt = 0
  state.seen = state.progress?.cursor ?? state.seen
  state.locationsSeen = state.progress?.locations_from ?? state.locationsSeen
  state.locationSeen = undefined
  state.unlisted = { behind: undefined, count: 0 }
}

function armTimer(state: OcpiPartnerState, context: Context): readonly Effect[] {
  const now = context.monotonic()
  const at = Math.max(now, nextStepAt(state, context))
  if (state.timerAt !== undefined && state.timerAt <= at) return none
  state.timerAt = at
  return [effect.schedule(timerKey, at, { type: 'go-on' } satisfies OcpiPartnerMessage)]
}

/** When it has to look again, monotonic ms; what a call's end brings about needs no timer. */
function nextStepAt(state: OcpiPartnerState, context: Context): number {
  const now = context.monotonic()
  const steadyNow = context.steady()
  const monotonic = (steady: number | undefined): number =>
    steady === undefined ? Number.POSITIVE_INFINITY : now + steady - steadyNow
  const times = [lookDueAt(state), resultDueAt(state), saveDueAt(state), monotonic(state.nextBillAt)]
  if (mayRelease(state)) times.push(now)
  times.push(state.comparison.dueAt)
  times.push(readDueAt(state))
  if (state.calls >= state.allowed) return Math.min(...times)
  const nextCdrAt = hasRoomForCdrs(state) ? monotonic(state.nextCdrAt) : Number.POSITIVE_INFINITY
  const waits = [state.nextDueAt, nextCdrAt]
  if (state.isCut) waits.push(now)
  // What could begin has begun, unless the partner is left alone.
  if (now < state.pausedUntil) waits.push(state.pausedUntil)
  return Math.min(...times, ...waits.map((at) => Math.max(at, state.pausedUntil)))
}
