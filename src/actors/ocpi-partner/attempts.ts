// Which call begins next, and what comes of it. One is under way for each object, so that a partner never has an older state after a newer one.

import { type OcpiOutcome, ocpiCallJob } from '../../ocpi/call.js'
import { ocpiExchangesTable } from '../../records/ocpi-exchange.js'
import { type Context, type Effect, effect, type JobOutcome } from '../../runtime/actor/actor.js'
import { type Call, type Caller, callForCdr, callForObject, callForResult } from './calls.js'
import { cdrAttempted, holdCdr, nothingToSend, putOffCdr } from './cdrs.js'
import { judge, verdictOf } from './health.js'
import { holdSession } from './held.js'
import { type Attempt, type DueCdr, keyOf, type Pending } from './item.js'
import { limits } from './limits.js'
import type { OcpiPartnerMessage } from './messages.js'
import { beginItem, drop, settled, unsettled, wait } from './pending.js'
import { noteFailure } from './progress.js'
import { beginResult, removeSpent, resultAttempted, resultNotBegun } from './results.js'
import { type OcpiPartnerState, remember, rowOf } from './state.js'
import { countPush } from './statistics.js'
import { setProfileMark, setTariffMark } from './turn-writes.js'

const none: readonly Effect[] = []
const refusedDelayMs = 5_000
const noRoomPauseMs = 1_000

export function beginAttempts(state: OcpiPartnerState, caller: Caller, context: Context): readonly Effect[] {
  const effects: Effect[] = [...beginResults(state, caller, context)]
  if (context.monotonic() < state.pausedUntil) return effects
  const looks: Looks = { left: limits.ocpiLooksPerTurn }
  state.isCut = false
  while (state.calls < state.allowed) {
    const begun = beginNext(state, looks, caller, context)
    if (begun === undefined) break
    effects.push(...begun)
  }
  return effects
}

/** How many objects this turn may still look at: thousands may be due of which the partner knows everything. */
interface Looks {
  left: number
}

const lanes = ['locations', 'objects', 'cdrs'] as const

/** Locations, other objects and CDRs take turns. Undefined when there is nothing to begin. */
function beginNext(
  state: OcpiPartnerState,
  looks: Looks,
  caller: Caller,
  context: Context,
): readonly Effect[] | undefined {
  const last = lanes.indexOf(state.lastLane)
  for (let step = 1; step <= lanes.length; step++) {
    const lane = lanes[(last + step) % lanes.length] ?? 'cdrs'
    const begun = beginIn(lane, state, looks, caller, context)
    if (begun === undefined) continue
    state.lastLane = lane
    return begun
  }
  return undefined
}

function beginIn(
  lane: OcpiPartnerState['lastLane'],
  state: OcpiPartnerState,
  looks: Looks,
  caller: Caller,
  context: Context,
): readonly Effect[] | undefined {
  if (lane === 'cdrs') return beginCdr(state, caller, context)
  return beginObject(state, lane === 'locations' ? state.readyLocations : state.ready, looks, caller, context)
}

function beginObject(
  state: OcpiPartnerState,
  ready: ReadonlyMap<string, Pending>,
  looks: Looks,
  caller: Caller,
  context: Context,
): readonly Effect[] | undefined {
  const effects: Effect[] = []
  for (const item of ready.values()) {
    if (looks.left === 0) {
      state.isCut = true
      break
    }
    looks.left--
    const call = callForObject(state, item, caller, context)
    if (call === 'known' || call === 'later') drop(state, item)
    else if ('heldFor' in call) {
      drop(state, item)
      if (item.object.kind === 'session') effects.push(...holdSession(state, item.object.sessionId, call, context))
    } else {
      beginItem(state, item)
      return [...effects, begin(state, { type: 'object', item, ...begun(state, context), told: call.told }, call)]
    }
  }
  return effects.length === 0 ? undefined : effects
}

function beginCdr(state: OcpiPartnerState, caller: Caller, context: Context): readonly Effect[] | undefined {
  const effects: Effect[] = []
  for (const item of state.cdrs.values()) {
    if (item.underWay || isAhead(state, item)) continue
    const call = callForCdr(state, item, caller, context)
    if (call === 'known') effects.push(...nothingToSend(state, item, context))
    else if (call === 'later') effects.push(...putOffCdr(state, item, context))
    else if ('heldFor' in call) effects.push(...holdCdr(state, item, call.heldFor, context))
    else {
      item.underWay = true
      return [...effects, begin(state, { type: 'cdr', item, ...begun(state, context), told: call.told }, call)]
    }
  }
  return effects.length === 0 ? undefined : effects
}

/** The end of a session comes before its CDR, unless the partner does not take it. */
function isAhead({ ready, underWay }: OcpiPartnerState, { row }: DueCdr): boolean {
  const key = keyOf({ kind: 'session', sessionId: row.session_id })
  return ready.has(key) || underWay.has(key)
}

/** In a few seconds nobody waits for them any more: they have places of their own, also at a partner that fails. */
function beginResults(state: OcpiPartnerState, caller: Caller, context: Context): readonly Effect[] {
  const now = context.monotonic()
  const effects: Effect[] = [...removeSpent(state)]
  for (const item of state.results) {
    if (state.resultCalls >= limits.ocpiFirstPushes) break
    if (item.underWay || item.dueAt > now) continue
    effects.push(beginResult(item))
    const call = callForResult(item, caller)
    effects.push(begin(state, { type: 'result', item, ...begun(state, context), told: call.told }, call))
  }
  return effects
}

function begun({ life }: OcpiPartnerState, context: Context): Pick<Attempt, 'life' | 'begunAt' | 'at'> {
  return { life, begunAt: context.monotonic(), at: context.now() }
}

function begin(state: OcpiPartnerState, attempt: Attempt, { call }: Call): Effect {
  if (attempt.type === 'result') state.resultCalls++
  else state.calls++
  return effect.job(ocpiCallJob, call, (outcome): OcpiPartnerMessage => ({ type: 'attempted', attempt, outcome }))
}

export function attempted(
  state: OcpiPartnerState,
  attempt: Attempt,
  outcome: JobOutcome,
  context: Context,
): readonly Effect[] {
  // What was begun in a memory that is lost is begun anew in this one.
  const isOwn = attempt.life === state.life
  if (isOwn && attempt.type === 'result') state.resultCalls--
  else if (isOwn) state.calls--
  // Of a partner that was deleted meanwhile, nothing is kept.
  if (rowOf(context) === undefined) return none
  if (!outcome.ok) return isOwn ? noRoom(state, attempt, context) : none
  const result = outcome.value as OcpiOutcome
  const noted = noteExchange(state, attempt, result, context)
  if (!isOwn) return noted
  if (attempt.type === 'result') return [...noted, ...resultAttempted(state, attempt.item, result, context)]
  const isBack = judge(state, attempt, result, context)
  countPush(result.type === 'delivered', sinceOf(attempt, context))
  const effects =
    attempt.type === 'cdr'
      ? cdrAttempted(state, attempt.item, attempt.told.cdrId ?? '', result, context)
      : objectAttempted(state, attempt.item, attempt, result, context)
  if (isBack) hurry(state, context)
  const verdict = verdictOf(result)
  const isWell = verdict === 'taken' || verdict === 'refused'
  return [...noted, ...effects, ...noteFailure(state, isWell ? undefined : messageOf(result), context)]
}

/** This process had no room for it: that was no attempt. */
function noRoom(state: OcpiPartnerState, { type, item }: Attempt, context: Context): readonly Effect[] {
  const dueAt = context.monotonic() + noRoomPauseMs
  state.pausedUntil = Math.max(state.pausedUntil, dueAt)
  if (type === 'object') unsettled(state, item, dueAt)
  else if (type === 'result') resultNotBegun(item, dueAt)
  else item.underWay = false
  return none
}

function objectAttempted(
  state: OcpiPartnerState,
  item: Pending,
  attempt: Attempt,
  outcome: OcpiOutcome,
  context: Context,
): readonly Effect[] {
  const now = context.monotonic()
  const verdict = verdictOf(outcome)
  if (verdict === 'taken') {
    const effects = told(state, item, attempt, context)
    if (item.object.kind === 'location' && attempt.told.goesOn === true) item.again ??= item.changed
    settled(state, item)
    return effects
  }
  // Whether it has come is not known: it is sent as it is then.
  if (verdict === 'away') {
    unsettled(state, item, now)
    return none
  }
  item.failures++
  if (attempt.told.method === 'DELETE' && verdict === 'refused') {
    // What the partner does not have need not be deleted.
    const effects = told(state, item, attempt, context)
    settled(state, item)
    return effects
  }
  if (verdict === 'refused' && attempt.told.method === 'PATCH') {
    item.whole = true
    unsettled(state, item, now)
    return none
  }
  const most = verdict === 'refused' ? limits.ocpiRefusals : limits.ocpiFailedAnswers
  if (item.failures < most) unsettled(state, item, now + refusedDelayMs * 2 ** (item.failures - 1))
  else giveUp(state, item, attempt)
  return none
}

/** It is sent again when it changes again; meanwhile the partner can read it. */
function giveUp(state: OcpiPartnerState, item: Pending, { told: { mark, location } }: Attempt): void {
  const { object } = item
  if (object.kind === 'session') state.running.delete(object.sessionId)
  // Not again and again where it is looked at: as if the partner knew it.
  if (object.kind === 'location' && location !== undefined)
    remember(state.locations, object.locationId, location, state.mostLocations)
  if (object.kind === 'tariff' && mark !== undefined) state.refusedTariffs.set(object.tariffId, mark)
  settled(state, item)
}

/** The partner knows the object as it was when the call began. */
function told(state: OcpiPartnerState, { object }: Pending, attempt: Attempt, context: Context): readonly Effect[] {
  const { mark, goesOn, location } = attempt.told
  if (object.kind === 'location') {
    if (location !== undefined) remember(state.locations, object.locationId, location, state.mostLocations)
    return none
  }
  if (object.kind === 'session') {
    if (goesOn === true && mark !== undefined)
      remember(state.running, object.sessionId, { mark, at: context.monotonic() })
    else state.running.delete(object.sessionId)
    return none
  }
  if (object.kind === 'profile') return [setProfileMark(state, object.sessionId, mark ?? '', context)]
  return [setTariffMark(state, object.tariffId, mark, context)]
}

/** The partner is there again: what waits for it goes now. */
function hurry(state: OcpiPartnerState, context: Context): void {
  state.more = true
  const now = context.monotonic()
  for (const item of state.waiting.values()) if (item.failures > 0) wait(state, item, now)
}

function noteExchange(
  state: OcpiPartnerState,
  { told: { module, method, url }, at }: Attempt,
  outcome: OcpiOutcome,
  context: Context,
): readonly Effect[] {
  const { milliseconds, shown } = outcome
  const { answer } = shown
  const statusCode = 'statusCode' in outcome ? outcome.statusCode : undefined
  const error = messageOf(outcome)
  const row = state.exchanges.note(
    {
      partnerId: context.id,
      direction: 'out',
      module,
      method,
      url,
      at,
      milliseconds,
      request: shown.request,
      ...(answer !== undefined && { answer: { ...answer, ...(statusCode !== undefined && { statusCode }) } }),
      ...(error !== undefined && { error }),
    },
    context.read(),
    context.monotonic(),
  )
  return row === undefined ? none : [effect.put(ocpiExchangesTable, row)]
}

function messageOf(outcome: OcpiOutcome): string | undefined {
  return outcome.type === 'delivered' ? undefined : outcome.message
}

/** How long the partner did not know, wall ms. */
function sinceOf(attempt: Attempt, context: Context): number | undefined {
  return attempt.type === 'object' ? context.now() - attempt.item.changed.since : undefined
}
