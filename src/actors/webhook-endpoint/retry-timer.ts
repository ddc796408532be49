// When an endpoint looks for retries that are due: a timer for one that is near, and a stored wake-up behind it for what the
// timer does not outlive. Attempts are on time to the timer; the wake-up makes sure that none is forgotten.

import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { wakeAfter, wakeNoMore } from '../../runtime/actor/wake-ups.js'
import { type WebhookEndpointMessage, webhookEndpointAddress } from './messages.js'
import { hasRoomForRetries } from './reading.js'
import { retryWakeUp, type WebhookState } from './state.js'

const timerKey = 'retry'
/** A timer keeps its actor in memory: only a near one does. */
const nearMs = 120_000
/** The sweep tells of wake-ups once a second; the rest of the way is the timer's. */
const aheadMs = 2_000
/** For near retries, which the timer brings about: what is stored comes later, and seldom has to be moved. */
const behindMs = 60_000

export function armRetries(state: WebhookState, context: Context): readonly Effect[] {
  return [...armTimer(state, context), ...armWakeUp(state, context)]
}

function armTimer(state: WebhookState, context: Context): readonly Effect[] {
  const now = context.steady()
  const { nextRetryAt: next, timerAt } = state
  // While many are due, the next look follows a result.
  const wanted = next !== undefined && next - now <= nearMs && hasRoomForRetries(state) ? next : undefined
  if (timerAt !== undefined && timerAt <= now) state.timerAt = undefined
  if (wanted === state.timerAt) return []
  state.timerAt = wanted
  if (wanted === undefined) return [effect.cancel(timerKey)]
  const at = context.monotonic() + Math.max(0, wanted - now)
  return [effect.schedule(timerKey, at, { type: 'go-on' } satisfies WebhookEndpointMessage)]
}

function armWakeUp(state: WebhookState, context: Context): readonly Effect[] {
  const { nextRetryAt: next, wakeAt: stored } = state
  const now = context.steady()
  const told = stored !== undefined && stored <= now
  if (next === undefined) return told ? forgetWakeUp(state, context) : []
  const wanted = Math.max(Math.floor(next) - aheadMs, now + behindMs)
  if (stored !== undefined && !told && stored <= wanted) return []
  state.wakeAt = wanted
  return [wakeAfter(webhookEndpointAddress(context.id), retryWakeUp, wanted - now, context)]
}

/** Nothing is sent until somebody turns the endpoint on. */
export function disarmRetries(state: WebhookState, context: Context): readonly Effect[] {
  state.timerAt = undefined
  return [effect.cancel(timerKey), ...(state.wakeAt === undefined ? [] : forgetWakeUp(state, context))]
}

function forgetWakeUp(state: WebhookState, context: Context): readonly Effect[] {
  state.wakeAt = undefined
  return [wakeNoMore(webhookEndpointAddress(context.id), retryWakeUp)]
}
