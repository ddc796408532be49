// How a partner takes what it is sent: how many calls may be under way at once, and how long it is left alone when it fails. One that does not answer
// is asked again by a single call, after a second and then ever more rarely.

import type { OcpiOutcome } from '../../ocpi/call.js'
import type { Context } from '../../runtime/actor/actor.js'
import type { Attempt } from './item.js'
import { limits } from './limits.js'
import type { OcpiPartnerState } from './state.js'

/** taken: it knows now. refused: it is there, and does not want this. failing: it answers what nobody can use. away: no answer. */
export type Verdict = 'taken' | 'refused' | 'failing' | 'away'

/** HTTP statuses that say nothing of the object. */
const notOfObject: ReadonlySet<number> = new Set([401, 403, 407, 408, 425, 429])

export function verdictOf(outcome: OcpiOutcome): Verdict {
  if (outcome.type === 'delivered') return 'taken'
  if (outcome.type === 'failed') return 'away'
  if (outcome.type !== 'refused') return 'failing'
  const { httpStatus, statusCode = 2000 } = outcome
  return httpStatus >= 500 || notOfObject.has(httpStatus) || statusCode >= 3000 ? 'failing' : 'refused'
}

/** A failure that took longer than this holds places. */
const slowFailureMs = 1_000

/** After each attempt. Returns whether the partner is there again after it was away. */
export function judge(state: OcpiPartnerState, { begunAt }: Attempt, outcome: OcpiOutcome, context: Context): boolean {
  const verdict = verdictOf(outcome)
  if (verdict === 'taken' || verdict === 'refused') {
    const wasAway = state.pauses > 0
    state.allowed = Math.min(limits.ocpiPushes, state.allowed + 1)
    state.failuresInARow = 0
    state.pauses = 0
    state.pausedUntil = 0
    return wasAway
  }
  // Those that were under way when it began to fail are one failure.
  if (begunAt < state.pausedSince) return false
  state.failuresInARow++
  state.allowed = outcome.milliseconds >= slowFailureMs ? 1 : Math.max(1, state.allowed >> 1)
  if (verdict === 'away' || state.failuresInARow >= limits.ocpiFailuresInARow) pause(state, context)
  return false
}

function pause(state: OcpiPartnerState, context: Context): void {
  const longest = Math.min(limits.ocpiLongestPauseMs, limits.ocpiFirstPauseMs * 2 ** Math.min(state.pauses, 20))
  state.pauses++
  state.allowed = 1
  state.pausedSince = context.monotonic()
  // Several that went away together do not come back to all calls at once.
  state.pausedUntil = state.pausedSince + Math.round(longest * (1 - context.random() / 4))
}
